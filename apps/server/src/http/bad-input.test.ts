import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importBundle } from '../bundle/import-bundle.ts'
import { startTestServer, type TestServer, type TestUser, testStores } from '../testing.ts'

const hostile = [
  `'); drop table dashboard; --`,
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  '%_\\',
  '../../etc/passwd',
  '{{ 7 * 7 }} ${7*7}',
  '\u202Eesrever \u{1F4A5} \uD83D',
  'line\r\nset-cookie: a=b',
  `(a:'b')`,
]
const resources = [
  'database',
  'dataset',
  'chart',
  'dashboard',
  'saved_query',
  'css_template',
  'theme',
  'tag',
  'annotation_layer',
  'rowlevelsecurity',
  'report',
  'security/users',
  'security/groups',
  'security/roles',
  'security/user_registrations',
] as const

describe.each(testStores)('bad input on %s', (_name, store) => {
  let server: TestServer
  let id: Record<'dataset' | 'chart' | 'dashboard', number>

  beforeAll(async () => {
    server = await startTestServer({ store })
    const uuid = { database: randomUUID(), dataset: randomUUID(), chart: randomUUID(), dashboard: randomUUID() }
    const files = {
      'databases/d.yaml': { database_name: 'd', sqlalchemy_uri: 'duckdb://', uuid: uuid.database },
      'datasets/d/t.yaml': { table_name: 't', uuid: uuid.dataset, database_uuid: uuid.database },
      'charts/c.yaml': { slice_name: 'c', viz_type: 'table', uuid: uuid.chart, dataset_uuid: uuid.dataset },
      'dashboards/b.yaml': { dashboard_title: 'b', published: true, uuid: uuid.dashboard },
    }
    const { db } = server.deps
    await importBundle(
      db,
      { metadata: { version: '1.0.0', type: 'Dashboard', timestamp: '' }, files: new Map(Object.entries(files)) },
      { authorId: null, at: '2026-01-01T00:00:00.000', overwrite: false },
    )
    const only = async (kind: 'dataset' | 'chart' | 'dashboard') =>
      (await db.selectFrom(kind).select('id').executeTakeFirstOrThrow()).id
    id = { dataset: await only('dataset'), chart: await only('chart'), dashboard: await only('dashboard') }
  })
  afterAll(() => server.close())

  /** Numbers of rows in the tables of documents, including the history. */
  const rows = async (): Promise<Record<string, number>> => {
    const { db } = server.deps
    const tables = [
      'chart',
      'dashboard',
      'dataset',
      'chart_owner',
      'dashboard_owner',
      'dashboard_chart',
      'version',
    ] as const
    const counts = await Promise.all(
      tables.map(async (table) => {
        const { n } = await db
          .selectFrom(table)
          .select((is) => is.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
        return [table, Number(n)] as const
      }),
    )
    return Object.fromEntries(counts)
  }
  /** Sends a request that must be refused without changing anything. */
  async function sendRefused(user: TestUser, method: string, path: string, body?: unknown): Promise<[number, unknown]> {
    const before = await rows()
    const options = { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await server.as(user).send(method, path, body === undefined ? {} : options)
    expect(await rows()).toEqual(before)
    expect(response.body).not.toMatch(/at .*\.ts|node_modules|SQLITE|select /)
    return [response.statusCode, response.json()]
  }
  const chart = () => ({ slice_name: 'n', datasource_id: id.dataset, datasource_type: 'table', viz_type: 'pie' })

  it('refuses wrong types, unknown fields and missing fields with a message for each field', async () => {
    expect(
      await sendRefused('admin', 'POST', '/api/v1/chart/', { ...chart(), slice_name: 5, datasource_id: '1', nope: 1 }),
    ).toEqual([
      400,
      {
        message: {
          slice_name: ['Not a valid string.'],
          datasource_id: ['Not a valid integer.'],
          nope: ['Unknown field.'],
        },
      },
    ])
    expect(await sendRefused('admin', 'POST', '/api/v1/dashboard/', { owners: 'me', published: 'yes' })).toEqual([
      400,
      { message: { owners: ['Not a valid list.'], published: ['Not a valid boolean.'] } },
    ])
    expect(
      await sendRefused('admin', 'PUT', `/api/v1/dataset/${id.dataset}`, { columns: [{ column_name: 1 }] }),
    ).toEqual([400, { message: { columns: { 0: { column_name: ['Not a valid string.'] } } } }])
    expect(await sendRefused('admin', 'POST', '/api/v1/dataset/', {})).toEqual([
      400,
      { message: { database: ['Missing data for required field.'], table_name: ['Missing data for required field.'] } },
    ])
    expect(await sendRefused('admin', 'POST', '/api/v1/dashboard/', { dashboard_title: 'x'.repeat(501) })).toEqual([
      400,
      { message: { dashboard_title: ['Longer than maximum length 500.'] } },
    ])
    expect(await sendRefused('sqllab', 'POST', '/api/v1/saved_query/', { label: 5 })).toEqual([
      422,
      { message: { label: ['Not a valid string.'] } },
    ])
  })

  it('refuses documents that are not JSON objects, and references to missing objects', async () => {
    const path = `/api/v1/dashboard/${id.dashboard}`
    for (const body of [{ json_metadata: '{' }, { position_json: '[]' }, { json_metadata: '"text"' }])
      expect((await sendRefused('admin', 'PUT', path, body))[0]).toBe(400)
    expect(await sendRefused('admin', 'PUT', path, { owners: [99_999] })).toEqual([
      422,
      { message: { owners: ['Owners are invalid'] } },
    ])
    expect(await sendRefused('admin', 'POST', '/api/v1/chart/', { ...chart(), datasource_id: 99_999 })).toEqual([
      422,
      { message: { datasource_id: ['Datasource does not exist'] } },
    ])
    expect(
      await sendRefused('admin', 'POST', '/api/v1/chart/', { ...chart(), dashboards: [id.dashboard, 99_999] }),
    ).toEqual([422, { message: { dashboards: ['Dashboards do not exist'] } }])
    expect((await sendRefused('admin', 'DELETE', `/api/v1/chart/?q=!(${id.chart},99999)`))[0]).toBe(404)
  })

  it.each(resources)('refuses unknown ids, malformed ids, invalid Rison and other methods on %s', async (resource) => {
    const user = resource === 'saved_query' ? 'sqllab' : 'admin'
    const status = async (method: string, path: string, body?: object) =>
      (await sendRefused(user, method, `/api/v1/${resource}/${path}`, body))[0]
    for (const path of ['99999', '999999999999999', randomUUID()]) expect(await status('GET', path)).toBe(404)
    for (const path of ['abc', '-1', '1.5', '9'.repeat(40), '%00', `1'or'1'='1`])
      expect([404, 405]).toContain(await status('GET', encodeURIComponent(path)))
    expect(await status('DELETE', '99999')).toBe(404)
    for (const q of [
      '(',
      '!(',
      `(filters:!((col:'`,
      '{"a":',
      '5',
      '!()',
      '(page:-)',
      '(filters:!((col:a)))',
      '('.repeat(5000),
    ])
      expect([q.slice(0, 20), await status('GET', `?q=${encodeURIComponent(q)}`)]).toEqual([q.slice(0, 20), 400])
    for (const order of hostile)
      expect(await status('GET', `?q=${encodeURIComponent(JSON.stringify({ order_column: order }))}`)).toBe(400)
    for (const col of hostile)
      expect(
        await status('GET', `?q=${encodeURIComponent(JSON.stringify({ filters: [{ col, opr: 'eq', value: 1 }] }))}`),
      ).toBe(400)
    expect(await status('PATCH', '1', {})).toBe(405)
  })

  it('stores hostile names unchanged and finds them literally', async () => {
    for (const dashboard_title of hostile) {
      const made = await server.as('admin').post('/api/v1/dashboard/', { dashboard_title })
      expect([dashboard_title, made.statusCode]).toEqual([dashboard_title, 201])
      const { id: own } = made.json<{ id: number }>()
      const shown = await server.as('admin').get(`/api/v1/dashboard/${own}`)
      expect(shown.json<{ result: { dashboard_title: string } }>().result.dashboard_title).toBe(
        dashboard_title.toWellFormed(),
      )
      const filters = [{ col: 'dashboard_title', opr: 'ct', value: dashboard_title.toWellFormed() }]
      const found = await server
        .as('admin')
        .get(`/api/v1/dashboard/?q=${encodeURIComponent(JSON.stringify({ filters }))}`)
      expect(found.json<{ ids: number[] }>().ids).toEqual([own])
    }
  })

  it('refuses text that a store cannot hold', async () => {
    expect(await sendRefused('admin', 'POST', '/api/v1/dashboard/', { dashboard_title: 'a\u0000b' })).toEqual([
      400,
      { message: 'Text must not contain the NUL character.' },
    ])
    const q = encodeURIComponent(
      JSON.stringify({ filters: [{ col: 'dashboard_title', opr: 'eq', value: 'a\u0000b' }] }),
    )
    expect((await sendRefused('admin', 'GET', `/api/v1/dashboard/?q=${q}`))[0]).toBe(400)
    expect((await sendRefused('admin', 'GET', `/api/v1/dashboard/?q=(order_column:'a%00b')`))[0]).toBe(400)
    expect((await sendRefused('admin', 'GET', '/api/v1/dashboard/a%00b'))[0]).toBe(404)
    const form = {
      payload: 'username=a%00b&password=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    expect((await server.as('nobody').send('POST', '/login/', form)).body).toContain('the NUL character')
  })

  it('refuses bodies that are too large without reading them', async () => {
    const body = { ...chart(), params: 'x'.repeat(17 << 20) }
    const [status, message] = await sendRefused('admin', 'POST', '/api/v1/chart/', body)
    expect([status, message]).toEqual([413, { message: 'The request is larger than this server accepts.' }])
  })

  it('creates only one of several objects with the same name sent concurrently', async () => {
    const at = `/api/v1/annotation_layer/`
    const layer = (await server.as('admin').post(at, { name: 'one' })).json<{ id: number }>().id
    const span = { start_dttm: '2026-01-01T00:00:00', end_dttm: '2026-01-02T00:00:00' }
    const calls = [
      [at, { name: 'twice' }],
      [`${at}${layer}/annotation/`, { short_descr: 'twice', ...span }],
      ['/api/v1/dashboard/', { slug: 'twice' }],
    ] as const
    for (const [path, body] of calls) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => server.as('admin').post(path, body)))
      const statuses = answers.map(({ statusCode }) => statusCode)
      expect([path, statuses.toSorted((a, b) => a - b)]).toEqual([path, [201, 422, 422, 422, 422]])
    }
  })

  it('returns 401 when signed out and 403 without permission, regardless of the body', async () => {
    for (const resource of resources) {
      const nobody = await server.as('nobody').post(`/api/v1/${resource}/`, { nope: 1 })
      expect([resource, nobody.statusCode, nobody.json()]).toMatchObject([
        resource,
        401,
        { msg: 'Missing Authorization Header' },
      ])
      expect(await sendRefused('publicuser', 'POST', `/api/v1/${resource}/`, { nope: 1 })).toEqual([
        403,
        { message: 'Forbidden' },
      ])
    }
  })
})
