import { subjectId } from '@parquetry/model'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultConfig, defaultFlags } from '../settings/config.ts'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'

type Fields = Record<string, unknown>

let lab: TestLab
/** Address of an object by the path of its routes. */
const addresses = new Map<string, string>()

beforeAll(async () => {
  const config = { ...structuredClone(defaultConfig), SMTP_HOST: 'localhost', SMTP_MAIL_FROM: 'a@example.com' }
  lab = await startTestLab({ settings: { flags: { ...defaultFlags, EMBEDDED_SUPERSET: true }, config } })
  const admin = lab.server.as('admin')
  const create = async (path: string, body: object): Promise<number> => {
    const response = await admin.post(path, body)
    expect([response.statusCode, path, response.body]).toEqual([201, path, expect.anything()])
    return response.json<{ id: number }>().id
  }
  const add = async (kind: string, body: object): Promise<number> => {
    const id = await create(`/api/v1/${kind}/`, body)
    addresses.set(`/api/v1/${kind}/:id`, `/api/v1/${kind}/${id}`)
    return id
  }
  addresses.set('/api/v1/database/:id', `/api/v1/database/${lab.files}`)
  const dataset = await add('dataset', { database: lab.files, table_name: 'rows', sql: 'select id, name from cars' })
  await admin.put(`/api/v1/dataset/${dataset}`, {
    metrics: [
      { metric_name: 'count', expression: 'count(*)', currency: { symbol: 'EUR', symbolPosition: 'suffix' } },
      { metric_name: 'sum', expression: 'sum(id)' },
    ],
  })
  const dashboard = await add('dashboard', { dashboard_title: 'board', roles: [1], json_metadata: '{}' })
  await add('chart', {
    slice_name: 'chart',
    viz_type: 'table',
    params: '{}',
    datasource_id: dataset,
    datasource_type: 'table',
    dashboards: [dashboard],
  })
  await add('saved_query', { label: 'query', sql: 'select 1', db_id: lab.files })
  await add('tag', { name: 'tag', description: 'd', objects_to_tag: [['dashboard', dashboard]] })
  await add('css_template', { template_name: 'css', css: '.a {}' })
  await add('theme', { theme_name: 'theme', json_data: '{"token":{"colorPrimary":"#ff0000"}}' })
  await add('rowlevelsecurity', { name: 'rule', filter_type: 'Base', tables: [dataset], roles: [1], clause: 'id > 0' })
  await add('report', {
    type: 'Alert',
    name: 'alert',
    crontab: '0 9 * * *',
    dashboard,
    database: lab.files,
    sql: 'select count(*) from cars',
    validator_type: 'operator',
    validator_config_json: { op: '>', threshold: 2 },
    recipients: [{ type: 'User', recipient_config_json: { target: subjectId('user', 1) } }],
  })
  const group = await create('/api/v1/security/groups/', {
    name: 'group',
    roles: [1],
    attributes: { region: ['North'] },
  })
  addresses.set('/api/v1/security/groups/:id', `/api/v1/security/groups/${group}`)
  const account = { username: 'someone', first_name: 'Some', last_name: 'One', email: 'someone@example.com' }
  const user = await create('/api/v1/security/users/', {
    ...account,
    password: 'correct horse battery',
    groups: [group],
    attributes: { region: ['South'] },
  })
  addresses.set('/api/v1/security/users/:id', `/api/v1/security/users/${user}`)
  addresses.set('/api/v1/me/', '/api/v1/me/')
  const role = await add('security/roles', { name: 'role' })
  addresses.set('/api/v1/security/roles/:id/second_factor/', `/api/v1/security/roles/${role}/second_factor/`)
  const view = await add('security/resources', { name: 'view' })
  await add('security/permissions-resources', { permission_id: await findPermission('can_read'), view_menu_id: view })
  const registration = { ...account, username: 'new', email: 'new@example.com' }
  const registrations = '/api/v1/security/user_registrations/'
  addresses.set(`${registrations}:id`, `${registrations}${await create(registrations, registration)}`)
  const layer = await add('annotation_layer', { name: 'layer' })
  const annotations = `/api/v1/annotation_layer/${layer}/annotation/`
  const span = { start_dttm: '2024-01-01T00:00:00', end_dttm: '2024-01-02T00:00:00' }
  const annotation = await create(annotations, { short_descr: 'annotation', ...span })
  addresses.set('/api/v1/annotation_layer/:id/annotation/:annotation_id', `${annotations}${annotation}`)
  const embedded = `/api/v1/dashboard/${dashboard}/embedded`
  await admin.post(embedded, { allowed_domains: ['example.com'] })
  addresses.set('/api/v1/dashboard/:id/embedded', embedded)
}, 120_000)
afterAll(() => lab.close())

/** Id of a name of permissions. */
const findPermission = async (name: string): Promise<number> => {
  const { db } = lab.server.deps
  return (await db.selectFrom('permission_name').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
}
const read = async (address: string): Promise<Fields> =>
  (await lab.server.as('admin').get(address)).json<{ result: Fields }>().result
const put = (address: string, body: object) => lab.server.as('admin').put(address, body)

/** Without what a change always sets. */
const stable = (object: Fields): unknown =>
  JSON.parse(
    JSON.stringify(object, (name, value: unknown) =>
      /^changed_|^last_saved|_humanized$|^thumbnail_url$/.test(name) ? undefined : value,
    ),
  )

it('API-090: PUT accepts what GET of the same address returns, and changes nothing', async () => {
  const { contracts } = lab.server.app
  const readable = new Set(contracts.filter(({ method }) => method === 'GET').map(({ path }) => path))
  // Values by key and legacy form routes are not objects with read-only fields; `roles` takes ids only, a second factor a code.
  const others = /:key$|^\/tabstateview|\/roles\/$|^\/api\/v1\/me\/second_factor\/$/
  const paths = contracts
    .filter(({ method, path, body }) => method === 'PUT' && typeof body === 'object' && readable.has(path))
    .filter(({ path }) => !others.test(path))
    .map(({ path }) => path)
  expect([...addresses.keys()].sort()).toEqual(paths.sort())
  for (const [path, address] of addresses) {
    const before = await read(address)
    const response = await put(address, before)
    expect([path, response.statusCode, response.statusCode === 200 || response.body]).toEqual([path, 200, true])
    expect(stable(await read(address)), path).toEqual(stable(before))
  }
})

/** Fields that are not values of the object, but say how it is written. */
const options = /^(query_context_generation|carry_renames|changed_on)$/
/** Stored, but GET does not return them, or returns an object instead of the id. */
const unreturned =
  /^(external_url|masked_encrypted_extra|server_cert|database_id|db_id|permission_id|view_menu_id|objects_to_tag|theme_id)$/

type FieldSchema = { type?: string | string[]; enum?: unknown[]; pattern?: string }

/** Another value that a field may have. */
function otherValue({ type, enum: choices, pattern }: FieldSchema, current: unknown): unknown {
  if (choices) return choices.find((choice) => choice !== current)
  const [first] = [type].flat()
  if (first === 'boolean') return current !== true
  if (first === 'integer') return (Number(current) || 0) + 1
  if (first === 'array') return [987_654]
  if (first === 'object') return { other: 1 }
  return pattern ? 'https://example.com/other' : 'other'
}

it('regression: stores a changed field or refuses it by name', async () => {
  const ignored: string[] = []
  for (const [path, address] of addresses) {
    const { body } = lab.server.app.contracts.find((contract) => contract.method === 'PUT' && contract.path === path)!
    const { properties, required = [] } = body as unknown as {
      properties: Record<string, FieldSchema>
      required?: string[]
    }
    for (const [name, schema] of Object.entries(properties)) {
      if (options.test(name)) continue
      const all = await read(address)
      const before = all[name]
      const value = otherValue(schema, before)
      const needed = Object.fromEntries(required.map((each) => [each, all[each]]))
      const response = await put(address, { ...needed, [name]: value })
      const after = (await read(address))[name]
      if (response.statusCode === 200 && JSON.stringify(after) === JSON.stringify(before) && !unreturned.test(name))
        ignored.push(`${path} ${name} ${JSON.stringify(value)}`)
      if (response.statusCode !== 200) expect(response.body, `${path} ${name}`).toContain(name)
    }
  }
  expect(ignored).toEqual([])
})

it('regression: accepts the current value of a field that cannot be changed, and refuses others', async () => {
  const chart = addresses.get('/api/v1/chart/:id') as string
  const { uuid } = await read(chart)
  expect((await put(chart, { uuid, tags: [] })).statusCode).toBe(200)
  for (const body of [{ uuid: '6e1c7ee4-9f57-4d36-b0d4-0f4f1c5a0000' }, { uuid: null }]) {
    const response = await put(chart, body)
    const [field] = Object.keys(body) as [string]
    expect([response.statusCode, response.json()], field).toEqual([
      400,
      { message: { [field]: [expect.stringMatching(/^Read-only field\./)] } },
    ])
  }
  const database = addresses.get('/api/v1/database/:id') as string
  expect((await put(database, { is_managed_externally: false, external_url: null })).statusCode).toBe(200)
})

it('regression: stores addresses of web pages only, and returns no others', async () => {
  for (const kind of ['chart', 'dashboard', 'dataset']) {
    const address = addresses.get(`/api/v1/${kind}/:id`) as string
    const refused = await put(address, { external_url: 'javascript:alert(1)' })
    expect([refused.statusCode, refused.body], kind).toEqual([400, expect.stringContaining('http:// or https://')])
    expect((await put(address, { external_url: 'HTTPS://example.com/a?b' })).statusCode, kind).toBe(200)
  }
  const dataset = addresses.get('/api/v1/dataset/:id') as string
  expect(await read(dataset)).toMatchObject({ external_url: 'HTTPS://example.com/a?b' })
  await lab.server.deps.db.updateTable('dataset').set({ external_url: 'javascript:alert(1)' }).execute()
  expect(await read(dataset)).toMatchObject({ external_url: null })
})

it('refuses changed read-only fields and unknown fields by name', async () => {
  for (const [path, address] of addresses) {
    const before = await read(address)
    const response = await put(address, { ...before, nope: 1, ...('id' in before && { id: 99 }) })
    expect([400, 422], path).toContain(response.statusCode)
    const { message } = response.json<{ message: Fields; errors?: { message: string }[] }>()
    const text = JSON.stringify(message ?? response.json())
    expect(text, path).toMatch(/nope[^,]*Unknown field\./)
    if ('id' in before) expect(text, path).toMatch(/id[^,]*Read-only field\./)
  }
})

it('changes the writable fields of an object that GET returned, and those of its columns', async () => {
  const chart = addresses.get('/api/v1/chart/:id') as string
  const response = await put(chart, { ...(await read(chart)), description: 'new' })
  expect([response.statusCode, (await read(chart))['description']]).toEqual([200, 'new'])

  const dataset = addresses.get('/api/v1/dataset/:id') as string
  const before = await read(dataset)
  const [first, ...others] = before['columns'] as Fields[]
  const renamed = await put(dataset, { ...before, columns: [{ ...first, verbose_name: 'First' }, ...others] })
  expect([renamed.statusCode, renamed.statusCode === 200 || renamed.body]).toEqual([200, true])
  expect(((await read(dataset))['columns'] as Fields[])[0]).toMatchObject({ id: first?.['id'], verbose_name: 'First' })
  const columns = (await read(dataset))['columns'] as Fields[]
  const retyped = await put(dataset, { columns: [{ ...columns[0], type_generic: 99 }, ...columns.slice(1)] })
  expect([retyped.statusCode, retyped.json()]).toEqual([
    400,
    { message: { columns: { 0: { type_generic: [expect.stringMatching(/^Read-only field\./)] } } } },
  ])
})

it('reports a conflict when the object was changed after it was read', async () => {
  const dashboard = addresses.get('/api/v1/dashboard/:id') as string
  const before = await read(dashboard)
  await put(dashboard, { dashboard_title: 'changed' })
  expect((await put(dashboard, { ...before, css: '.b {}' })).statusCode).toBe(409)
})

it('regression: a negative id in a body is not found', async () => {
  const response = await put('/api/v1/chart/warm_up_cache', { chart_id: -1 })
  expect([response.statusCode, response.json()]).toEqual([404, { message: 'Not found' }])
})
