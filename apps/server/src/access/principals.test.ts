import type { RouteContract } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Response } from 'light-my-request'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import { createSample, type JsonValue, type Schema } from '../http/sample-value.testing.ts'
import { grant } from '../security/grants.ts'
import { builtInRoles } from '../security/roles.ts'
import { signToken } from '../security/tokens.ts'
import { addUser } from '../security/users.ts'
import { defaultFlags } from '../settings/config.ts'
import { formatStoredTime } from '../store/time.ts'
import type { TestUser } from '../testing.ts'

/**
 * `anonymous` is not signed in. `guest` has the token of an embedded dashboard. `public` is not signed in either, while the role
 * Public has the permissions of Gamma. `owner` is an Alpha who owns the objects that the calls name.
 */
const principals = ['anonymous', 'guest', 'public', 'gamma', 'sqllab', 'alpha', 'owner', 'admin'] as const
type PrincipalName = (typeof principals)[number]

/** In every name and text of the objects. */
const secret = 'zqxsecret'

/**
 * What each principal gets from a route, in the order of `principals`: `-` refused (401 or 403), `>` the sign-in page, `?` not
 * found, as if it did not exist (404), `+` anything else, also errors about the values of the call.
 */
type Outcomes = string
/** One entry per route. Running this test with `WRITE_EXPECTED=1` writes the file; read the difference before you commit it. */
const expectedFile = new URL('principals.expected.json', import.meta.url)

let cars: CarsServer
/** A separate set of objects for each principal, by the resource in the path. */
const objects = new Map<PrincipalName, Record<string, string>>()
let guestToken: string

// oxlint-disable-next-line typescript/no-explicit-any -- responses are read as a client would read them
type Body = any
const json = (body: object) => ({ payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
async function create(user: string, path: string, body: object): Promise<Body> {
  const response = await cars.server.as(user as TestUser).send('POST', path, json(body))
  expect([path, response.statusCode, response.body]).toEqual([path, expect.toBeOneOf([200, 201]), expect.anything()])
  return response.json()
}

beforeAll(async () => {
  cars = await startCarsServer({ settings: { flags: { ...defaultFlags, DYNAMIC_PLUGINS: true } } })
  const { db, keys, now } = cars.server.deps
  await addUser(db, { username: 'owner', password: 'owner', roles: ['Alpha', 'sql_lab'] }, now())
  const { id: ownerId } = await db
    .selectFrom('user')
    .select('id')
    .where('username', '=', 'owner')
    .executeTakeFirstOrThrow()
  for (const name of principals) {
    const dataset = await create('admin', '/api/v1/dataset/', {
      database: 1,
      table_name: `${secret}_${name}`,
      sql: `SELECT '${secret}' AS ${secret}`,
      owners: [ownerId],
    })
    const chart = await create('owner', '/api/v1/chart/', {
      slice_name: secret,
      datasource_id: dataset.id,
      datasource_type: 'table',
      viz_type: 'table',
    })
    const dashboard = await create('owner', '/api/v1/dashboard/', {
      dashboard_title: secret,
      slug: `${secret}-${name}`,
    })
    const saved = await create('owner', '/api/v1/saved_query/', { label: secret, sql: `select '${secret}'`, db_id: 1 })
    const rule = await create('admin', '/api/v1/rowlevelsecurity/', {
      name: `${secret} ${name}`,
      filter_type: 'Regular',
      tables: [dataset.id],
      roles: [1],
      clause: `'${secret}' = '${secret}'`,
    })
    const tag = await create('owner', '/api/v1/tag/', {
      name: `${name} tag`,
      objects_to_tag: [
        ['chart', chart.id],
        ['dashboard', dashboard.id],
        ['dataset', dataset.id],
      ],
    })
    const report = await create('owner', '/api/v1/report/', {
      type: 'Report',
      name: `${secret} ${name}`,
      crontab: '0 9 * * *',
      report_format: 'NONE',
    })
    const group = await create('admin', '/api/v1/security/groups/', { name: `${secret} ${name}` })
    const user = await addUser(
      db,
      {
        username: `${secret} ${name}`,
        password: null,
        roles: ['Gamma'],
        first_name: secret,
        email: `${secret}@${name}`,
      },
      now(),
    )
    const task = await addEndedJob(ownerId)
    objects.set(name, {
      dataset: String(dataset.id),
      chart: String(chart.id),
      dashboard: String(dashboard.id),
      saved_query: String(saved.id),
      rowlevelsecurity: String(rule.id),
      report: String(report.id),
      groups: String(group.id),
      users: String(user),
      tag: String(tag.id),
      task,
    })
  }
  const claims = { user: { username: 'visitor' }, resources: [{ type: 'dashboard', id: 'u' }], rls_rules: [] }
  guestToken = signToken(keys.guest, 'guest', claims, now(), 3000)
}, 60_000)
afterAll(() => cars.close())

async function addEndedJob(user_id: number): Promise<string> {
  const at = formatStoredTime(cars.server.deps.now())
  const row = {
    uuid: randomUUID(),
    kind: 'sqllab.run',
    payload: '{}',
    state: 'done',
    user_id,
    attempts: 1,
    name: secret,
  }
  await cars.server.deps.db
    .insertInto('job')
    .values({ ...row, created_on: at, changed_on: at, started_on: at, ended_on: at })
    .execute()
  return row.uuid
}

const formatRoute = ({ method, path }: RouteContract): string => `${method} ${path}`

/** The path with the principal's objects as parameters; `missing` are ids that do not exist. */
function buildPath({ path }: RouteContract, name: PrincipalName, isMissing = false): string {
  const own = objects.get(name) ?? {}
  const kinds = path.split('/').filter((part) => Object.hasOwn(own, part))
  return path.replaceAll(/:(\w+)/g, (_, parameter: string) => {
    if (parameter === 'column') return 'owners'
    if (path.startsWith('/api/v1/tag/:type/') && parameter === 'type') return 'dashboard'
    if (isMissing) return '987654'
    if (path.startsWith('/api/v1/tag/:type/')) return parameter === 'id' ? (own['dashboard'] ?? '1') : `${name} tag`
    return own[kinds.at(-1) ?? ''] ?? '1'
  })
}

async function send(contract: RouteContract, name: PrincipalName, path: string): Promise<Response> {
  const { method, body, rison } = contract
  const own = objects.get(name) ?? {}
  const withObjects = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(withObjects)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        if (key === 'datasource') return [key, { id: Number(own['dataset']), type: 'table' }]
        if (key === 'datasource_id' || key === 'dataset_id')
          return [key, typeof item === 'number' ? Number(own['dataset']) : item]
        return [key, withObjects(item)]
      }),
    )
  }
  const q = rison && (rison as Schema).type === 'array' ? `?q=!(${own[path.split('/')[3] ?? ''] ?? '1'})` : ''
  const content: { payload?: string; headers?: Record<string, string> } =
    typeof body === 'object'
      ? json(method === 'PUT' ? {} : (withObjects(createSample(body as Schema)) as object))
      : body === 'form'
        ? { payload: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
        : {}
  const isVisitor = name === 'anonymous' || name === 'public' || name === 'guest'
  const user = isVisitor ? 'nobody' : (name as TestUser)
  const by = contract.reply === 'page' ? 'session' : 'bearer'
  const headers = { ...content.headers, ...(name === 'guest' && { 'x-guesttoken': guestToken }) }
  return cars.server.as(user, by).send(method, `${path}${q}`, { ...content, headers })
}

const deletes = ({ method }: RouteContract): number => (method === 'DELETE' ? 1 : 0)

const classify = ({ statusCode, body, headers }: Response): string => {
  if (statusCode < 400 && String(headers['location'] ?? '').startsWith('/login/')) return '>'
  if (statusCode === 404 || statusCode === 405) return '?'
  // Anonymous calls also lack a CSRF token.
  return statusCode === 401 || statusCode === 403 || (statusCode === 400 && body.includes('CSRF')) ? '-' : '+'
}

/** Principals who may see none of the objects. */
const seesNothing: ReadonlySet<PrincipalName> = new Set(['anonymous', 'guest', 'public', 'gamma', 'sqllab'])

/** Calls that end the session or account of the caller, which the other calls need. */
const endsCaller = /^(?:GET \/logout\/|POST \/api\/v1\/me\/password|PUT \/api\/v1\/me\/)/

it('every route answers each of eight principals as expected, and reveals nothing to those it refuses', async () => {
  const { app, deps } = cars.server
  const expected = JSON.parse(readFileSync(expectedFile, 'utf8')) as Record<string, Outcomes>
  const actual: Record<string, string> = {}
  const leaks: unknown[] = []
  const differences: unknown[] = []
  for (const name of principals) {
    if (name === 'public') for (const pair of builtInRoles['Gamma'] ?? []) await grant(deps.db, 'Public', pair)
    if (name === 'gamma')
      await deps.db
        .deleteFrom('role_permission')
        .where('role_id', 'in', deps.db.selectFrom('role').select('id').where('name', '=', 'Public'))
        .execute()
    // Deletions last: the other calls need the objects.
    for (const contract of app.contracts.toSorted((a, b) => deletes(a) - deletes(b))) {
      const route = formatRoute(contract)
      if (contract.isEndless || endsCaller.test(route)) continue
      const response = await send(contract, name, buildPath(contract, name))
      const outcome = classify(response)
      actual[route] = (actual[route] ?? '') + outcome
      if (outcome !== '+' && response.body.includes(secret)) leaks.push([name, route, response.body.slice(0, 300)])
      // What the caller may not see looks like what does not exist.
      if (outcome === '?' && seesNothing.has(name) && contract.path.includes(':id') && contract.reply !== 'page') {
        const missing = await send(contract, name, buildPath(contract, name, true))
        if (missing.statusCode !== response.statusCode || missing.body !== response.body)
          differences.push([name, route, response.body.slice(0, 200), missing.body.slice(0, 200)])
      }
    }
  }
  if (process.env['WRITE_EXPECTED'] === '1') writeFileSync(expectedFile, `${JSON.stringify(actual, null, 2)}\n`)
  expect(leaks).toEqual([])
  expect(differences).toEqual([])
  expect(actual).toEqual(expected)
}, 120_000)
