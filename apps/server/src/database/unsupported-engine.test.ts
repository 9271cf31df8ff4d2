import { errorCodes, MessageError, type RouteContract } from '@parquetry/model'
import { secretMask } from '@parquetry/engines'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import { importBundle, type ImportOutcome } from '../bundle/import-bundle.ts'
import { createSample, type Schema } from '../http/sample-value.testing.ts'
import { createObjects, type PathValues } from '../inventory.testing.ts'
import { defaultFlags } from '../settings/config.ts'
import { readStoredConnection } from '../connection/source.ts'
import { unzip } from '../unzip.testing.ts'
import { toConnectionRules } from './save-database.ts'

const address = 'snowflake://me:XXXXXXXXXX@account/db/schema?warehouse=wh'
const sentence =
  'Parquetry cannot connect to Snowflake. The connection was kept so that its datasets and charts stay intact. Change the connection to a supported database to use them.'

let cars: CarsServer
let objects: PathValues
const at = '2026-01-01T00:00:00.000'

/** Imports the database of all objects once more, with another address. */
async function importDatabaseAs(document: Record<string, unknown>, password = 'secret'): Promise<ImportOutcome> {
  const { deps } = cars.server
  const { uuid } = await deps.db.selectFrom('database').select('uuid').where('id', '=', 1).executeTakeFirstOrThrow()
  const path = 'databases/d.yaml'
  const files = new Map([[path, { database_name: 'd', uuid, ...document }]])
  return importBundle(
    deps.db,
    { metadata: { version: '1.0.0', type: 'Database', timestamp: '' }, files },
    {
      authorId: null,
      at,
      overwrite: true,
      secrets: {
        keys: deps.keys,
        rules: toConnectionRules(deps),
        passwords: { [path]: password },
        tunnel: { password: {}, private_key: {}, private_key_password: {} },
      },
    },
  )
}

beforeAll(async () => {
  const flags = Object.fromEntries(Object.keys(defaultFlags).map((flag) => [flag, true]))
  cars = await startCarsServer({ settings: { flags } })
  objects = await createObjects(cars, 'one')
  await importDatabaseAs({ sqlalchemy_uri: address })
}, 60_000)
afterAll(() => cars.close())

const fill = (path: string): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string, offset: number) => {
    const before = path.slice(0, offset).replaceAll(/:\w+/g, '{pk}')
    return encodeURIComponent(objects[`${before}{pk}`] ?? objects[`{${name}}`] ?? 1)
  })

/** These end the session of the test. */
const isSkipped = ({ path }: RouteContract): boolean => /logout|security|user|signout|\/me\//.test(path)

const send = (contract: RouteContract) => {
  const { method, body } = contract
  const sample = typeof body === 'object' ? { ...Object(createSample(body as Schema)), database_id: 1 } : undefined
  return cars.server.as('admin').send(method, fill(contract.path), sample ? { payload: sample } : {})
}

const admin = () => cars.server.as('admin')
const onCars = () => ({ id: cars.dataset, type: 'table' })
const query = { columns: ['Origin'], metrics: ['count'] }
const fillIds = (path: string) =>
  path.replace('{cars}', String(cars.dataset)).replace('{chart}', String(objects['/api/v1/chart/{pk}']))

/** Calls that would open the connection, with all of their parameters. */
const opening: [method: string, path: string, body?: () => object][] = [
  ['GET', '/api/v1/database/1/schemas/'],
  ['GET', '/api/v1/database/1/tables/?q=(schema_name:main)'],
  ['GET', '/api/v1/database/1/table/cars/main/'],
  ['GET', '/api/v1/database/1/table_metadata/?name=cars'],
  ['GET', '/api/v1/database/1/table_metadata/extra/?name=cars'],
  ['GET', '/api/v1/database/1/select_star/cars/'],
  ['POST', '/api/v1/database/1/sync_permissions/', () => ({})],
  ['POST', '/api/v1/database/test_connection/', () => ({ database_name: 'd', sqlalchemy_uri: address })],
  ['POST', '/api/v1/sqllab/execute/', () => ({ database_id: 1, sql: 'SELECT 1', client_id: 'c-new' })],
  ['POST', '/api/v1/dataset/', () => ({ database: 1, table_name: 'new' })],
  ['POST', '/api/v1/dataset/', () => ({ database: 1, table_name: 'new', sql: 'SELECT 1' })],
  ['PUT', '/api/v1/dataset/{cars}/refresh'],
  ['GET', '/api/v1/dataset/{cars}/profile'],
  ['GET', '/api/v1/datasource/table/{cars}/column/Origin/values/'],
  ['POST', '/datasource/samples?datasource_type=table&datasource_id={cars}', () => ({})],
  ['GET', '/datasource/external_metadata/table/{cars}/'],
  ['POST', '/api/v1/chart/data', () => ({ datasource: onCars(), queries: [query] })],
  ['GET', '/api/v1/chart/{chart}/data/'],
  [
    'POST',
    '/api/v1/chart/picture',
    () => ({
      form_data: { viz_type: 'table', datasource: `${cars.dataset}__table`, groupby: ['Origin'] },
      title: 'c',
      width: 400,
      height: 300,
      format: 'svg',
    }),
  ],
  [
    'POST',
    '/api/v1/report/test_condition',
    () => ({
      database: 1,
      sql: 'SELECT 1',
      validator_type: 'operator',
      validator_config_json: { op: '>', threshold: 1 },
    }),
  ],
]

it.each(opening)('API-091 %s %s explains that the product is not supported', async (method, path, body) => {
  const response = await admin().send(method, fillIds(path), body ? { payload: body() } : {})
  const [error] = response.json<{ errors: object[] }>().errors
  const extra: object = expect.objectContaining({ code: 'engine_unsupported' })
  expect([response.statusCode, error]).toEqual([400, expect.objectContaining({ message: sentence, extra })])
})

it('API-091 shows everything else of such a connection', async () => {
  const read = [
    '/api/v1/database/',
    '/api/v1/database/1',
    '/api/v1/database/1/connection',
    '/api/v1/database/1/related_objects/',
    '/api/v1/database/1/function_names/',
    '/api/v1/database/export/?q=!(1)',
    '/api/v1/dataset/',
    '/api/v1/dataset/{cars}',
    '/api/v1/dataset/export/?q=!({cars})',
    '/api/v1/explore/?datasource_type=table&datasource_id={cars}',
    '/api/v1/chart/{chart}',
    '/api/v1/explore/?slice_id={chart}',
    '/api/v1/chart/export/?q=!({chart})',
    '/api/v1/dashboard/one/datasets',
    '/superset/sqllab/',
    '/superset/explore/?slice_id={chart}',
    '/superset/dashboard/one/',
  ]
  for (const path of read) {
    const { statusCode } = await admin().get(fillIds(path))
    expect([path, statusCode]).toEqual([path, 200])
  }
  const { result } = (await admin().get('/api/v1/database/1')).json<{ result: object }>()
  expect(result).toMatchObject({
    backend: 'snowflake',
    sqlalchemy_uri: address,
    parameters: { address, password: secretMask },
    engine_information: { supports_file_upload: false, unsupported: 'Snowflake' },
  })
})

it('API-091 a dashboard shows the reason in place of its charts', async () => {
  const chart = Number(objects['/api/v1/chart/{pk}'])
  const dashboard = String(objects['/api/v1/dashboard/{pk}'])
  const layout = {
    ROOT_ID: { type: 'ROOT', id: 'ROOT_ID', children: ['GRID_ID'] },
    GRID_ID: { type: 'GRID', id: 'GRID_ID', children: ['CHART-1'] },
    'CHART-1': { type: 'CHART', id: 'CHART-1', children: [], meta: { chartId: chart, width: 4, height: 50 } },
  }
  const placed = await admin().put(`/api/v1/chart/${chart}`, { dashboards: [Number(dashboard)] })
  const saved = await admin().put(`/api/v1/dashboard/${dashboard}`, { position_json: JSON.stringify(layout) })
  expect([placed.statusCode, saved.statusCode]).toEqual([200, 200])
  const data = await admin().post(`/api/v1/dashboard/${dashboard}/data`, { charts: [{ id: chart }] })
  expect([data.statusCode, data.body]).toEqual([200, expect.stringContaining(sentence)])
  const image = await admin().post(`/api/v1/dashboard/${dashboard}/picture`, { format: 'pdf' })
  expect(image.statusCode).toBe(200)
})

it('API-091 keeps the secrets of the address encrypted, and exports the address as it was imported', async () => {
  const row = await cars.server.deps.db.selectFrom('database').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
  const { secrets, ...visible } = row
  expect(JSON.stringify(visible)).not.toContain('secret"')
  expect(secrets).not.toBeNull()
  expect(readStoredConnection(cars.server.deps, row).settings).toMatchObject({ address, password: 'secret' })
  const { rawPayload } = await admin().get('/api/v1/database/export/?q=!(1)')
  const file = [...(await unzip(rawPayload))].find(([path]) => /databases\/.*yaml$/.test(path))
  expect(file?.[1]).toContain(`sqlalchemy_uri: ${address}`)
})

it('API-091 asks for the password as for any other database', async () => {
  await expect(importDatabaseAs({ sqlalchemy_uri: address.replace('account', 'other') }, secretMask)).rejects.toThrow(
    expect.objectContaining({
      details: { 'databases/d.yaml': { _schema: ['Must provide a password for the database'] } },
    }),
  )
  const metadata = { version: '1.0.0', type: 'Database', timestamp: '' } as const
  const files = new Map([['databases/e.yaml', { database_name: 'e', uuid: randomUUID(), sqlalchemy_uri: address }]])
  const options = { authorId: null, at, overwrite: false }
  await expect(importBundle(cars.server.deps.db, { metadata, files }, options)).rejects.toThrow()
})

it('LIST-019: does not ask for the password of a new connection that is never opened', async () => {
  const { deps } = cars.server
  const uuid = randomUUID()
  const metadata = { version: '1.0.0', type: 'Database', timestamp: '' } as const
  const files = new Map([['databases/n.yaml', { database_name: 'n', uuid, sqlalchemy_uri: address }]])
  const secrets = {
    keys: deps.keys,
    rules: toConnectionRules(deps),
    passwords: {},
    tunnel: { password: {}, private_key: {}, private_key_password: {} },
  }
  await importBundle(deps.db, { metadata, files }, { authorId: null, at, overwrite: false, secrets })
  const row = await deps.db.selectFrom('database').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow()
  expect(row.sqlalchemy_uri).toBe(address)
  await deps.db.deleteFrom('database').where('id', '=', row.id).execute()
})

it('API-091 keeps a connection to a file of another server, and never opens it', async () => {
  const { deps } = cars.server
  const uuid = randomUUID()
  const metadata = { version: '1.0.0', type: 'Database', timestamp: '' } as const
  const uri = 'sqlite:////etc/passwd'
  const files = new Map<string, Record<string, unknown>>([
    ['databases/f.yaml', { database_name: 'f', uuid, sqlalchemy_uri: uri }],
    ['datasets/f/t.yaml', { table_name: 't', uuid: randomUUID(), database_uuid: uuid, columns: [], metrics: [] }],
  ])
  const rules = { ...toConnectionRules(deps), preventUnsafe: true }
  const tunnel = { password: {}, private_key: {}, private_key_password: {} }
  const secrets = { keys: deps.keys, rules, passwords: {}, tunnel }
  const { plan } = await importBundle(deps.db, { metadata, files }, { authorId: null, at, overwrite: false, secrets })
  expect(plan.objects[0]?.notes).toEqual([expect.objectContaining({ values: { engine: 'SQLite files' } })])
  const row = await deps.db.selectFrom('database').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ backend: 'sqlite_file', sqlalchemy_uri: uri })
  const opened = await admin().get(`/api/v1/database/${row.id}/schemas/`)
  expect([opened.statusCode, opened.body]).toEqual([400, expect.stringContaining('cannot connect to SQLite files')])
  const run = await admin().post('/api/v1/sqllab/execute/', { database_id: row.id, sql: 'SELECT 1' })
  expect([run.statusCode, run.body]).toEqual([400, expect.stringContaining('cannot connect to SQLite files')])
  // Saving it unchanged does not make it a connection that is opened.
  await admin().put(`/api/v1/database/${row.id}`, { database_name: 'g', sqlalchemy_uri: uri })
  const saved = await deps.db.selectFrom('database').select('backend').where('uuid', '=', uuid).executeTakeFirst()
  expect(saved?.backend).toBe('sqlite_file')
  await deps.db.deleteFrom('dataset').where('database_id', '=', row.id).execute()
  expect((await admin().delete(`/api/v1/database/${row.id}`)).statusCode).toBe(200)
})

it('API-091 no call fails because of such a connection', async () => {
  const failed: unknown[] = []
  for (const contract of cars.server.app.contracts) {
    if (contract.isEndless || contract.method === 'DELETE' || isSkipped(contract)) continue
    const { statusCode, body } = await send(contract)
    if (statusCode >= 500 || body.includes(errorCodes.internal.message)) failed.push([statusCode, contract.path, body])
  }
  expect(failed).toEqual([])
}, 120_000)

it('API-091 accepts changes that do not need the connection, and refuses to create such a connection', async () => {
  const put = (body: object) => admin().put('/api/v1/database/1', body)
  const renamed = await put({ database_name: 'kept', sqlalchemy_uri: address, impersonate_user: false })
  expect([renamed.statusCode, renamed.body]).toEqual([200, expect.stringContaining('snowflake://')])
  for (const body of [
    { sqlalchemy_uri: 'snowflake://me:p@elsewhere/db' },
    { sqlalchemy_uri: 'bigquery://project' },
    { ssh_tunnel: { server_address: 'h', server_port: 22, username: 'u', password: 'p' } },
  ]) {
    const { statusCode } = await put(body)
    expect([body, statusCode >= 400 && statusCode < 500]).toEqual([body, true])
  }
  const created = await admin().post('/api/v1/database/', { database_name: 'x', sqlalchemy_uri: 'bigquery://project' })
  expect(created.statusCode).toBe(422)
})

it('API-091 reports what of a connection is not used, and keeps none of its secrets', async () => {
  const notesOf = async (document: object) => {
    const { plan } = await importDatabaseAs({ sqlalchemy_uri: address, ...document })
    return plan.objects.flatMap(({ notes }) => notes.map((note) => new MessageError(note).message))
  }
  expect(await notesOf({ encrypted_extra: '{"private_key": "hidden"}' })).toEqual([
    sentence,
    'The secrets in encrypted_extra are not used here and were left out.',
  ])
  const { body } = await admin().get('/api/v1/database/1')
  const row = await cars.server.deps.db.selectFrom('database').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
  expect(JSON.stringify([row, body])).not.toContain('hidden')
  const mysql = {
    sqlalchemy_uri: 'mysql+pymysql://me:XXXXXXXXXX@host/db?local_infile=1',
    extra: { engine_params: { connect_args: { ssl: {} } } },
  }
  expect(await notesOf(mysql)).toEqual([
    'mysql+pymysql is read as MySQL.',
    'The parameter local_infile of the connection string has no effect here.',
    'The driver arguments in engine_params are not used here and were left out.',
  ])
})

it('API-091 keeps driver arguments without their secrets, and drops them with the connection', async () => {
  const engine_params = { connect_args: { http_path: '/sql/1', private_key: 'k', tokens: [{ value: 't' }] } }
  await importDatabaseAs({ sqlalchemy_uri: address, extra: { engine_params, theirs: 1 }, impersonate_user: true })
  const readExtra = async () => {
    const { result } = (await admin().get('/api/v1/database/1')).json<{ result: { extra: string } }>()
    return JSON.parse(result.extra) as unknown
  }
  const masked = { http_path: '/sql/1', private_key: secretMask, tokens: [{ value: secretMask }] }
  expect(await readExtra()).toMatchObject({ engine_params: { connect_args: masked }, theirs: 1 })
  const saved = await admin().put('/api/v1/database/1', { extra: JSON.stringify(await readExtra()) })
  expect(saved.statusCode).toBe(200)
  const refused = await admin().put('/api/v1/database/1', { sqlalchemy_uri: 'duckdb://', ssh_tunnel: null })
  expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('impersonate')])
  const supported = { sqlalchemy_uri: 'duckdb://', ssh_tunnel: null, impersonate_user: false }
  const replaced = await admin().put('/api/v1/database/1', supported)
  expect([replaced.statusCode, replaced.body]).toEqual([200, expect.stringContaining('duckdb://')])
  expect(await readExtra()).toEqual({ theirs: 1 })
  const samples = `/datasource/samples?datasource_type=table&datasource_id=${cars.dataset}`
  const data = await admin().post(samples, {})
  expect([data.statusCode, data.body]).toEqual([200, expect.stringContaining('Japan')])
})
