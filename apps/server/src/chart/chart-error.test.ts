import { AppError } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import type { Principal } from '../access/principal.ts'
import { grantDataset } from '../security/grant-dataset.testing.ts'
import { defaultFlags } from '../settings/config.ts'
import { redactDatabaseError } from '../sql-access/redact-database-error.ts'
import type { TestUser } from '../testing.ts'
import { startCarsServer, type CarsServer } from './testing.ts'

/** Engine messages are shown only to users who may read the whole database: `docs/decisions/0154-what-a-database-says.md`. */

let cars: CarsServer
let dashboard: number
let chart: number

beforeAll(async () => {
  cars = await startCarsServer({ settings: { flags: { ...defaultFlags, ENABLE_TEMPLATE_PROCESSING: true } } })
  await grantDataset(cars.server, cars.dataset, 'Gamma')
  const form = { viz_type: 'table', query_mode: 'raw', all_columns: ['Name'], datasource: `${cars.dataset}__table` }
  const add = async (path: string, body: object) =>
    (await cars.server.as('admin').post(path, body)).json<{ id: number }>().id
  dashboard = await add('/api/v1/dashboard/', { dashboard_title: 'Cars', published: true })
  chart = await add('/api/v1/chart/', {
    slice_name: 'Names',
    viz_type: 'table',
    datasource_id: cars.dataset,
    datasource_type: 'table',
    params: JSON.stringify(form),
    query_context: JSON.stringify({ ...createContext({ columns: ['Name'], metrics: [] }), form_data: form }),
    dashboards: [dashboard],
  })
  const node = (id: string, type: string, children: string[], meta = {}) => [id, { id, type, children, meta }]
  await cars.server.as('admin').put(`/api/v1/dashboard/${dashboard}`, {
    json_metadata: JSON.stringify({
      positions: {
        DASHBOARD_VERSION_KEY: 'v2',
        ...Object.fromEntries([
          node('ROOT_ID', 'ROOT', ['GRID_ID']),
          node('GRID_ID', 'GRID', ['ROW-1']),
          node('ROW-1', 'ROW', ['CHART-1']),
          node('CHART-1', 'CHART', [], { chartId: chart, uuid: randomUUID(), width: 4, height: 50 }),
        ]),
      },
    }),
  })
}, 60_000)
afterAll(() => cars?.close())

const wrong = { expressionType: 'SQL', sqlExpression: 'Horsepwer + 1', label: 'x' }
const createContext = (query: object) => ({
  datasource: { id: cars.dataset, type: 'table' },
  queries: [query],
  force: true,
})
const ask = (who: TestUser, query: object, rest: object = {}) =>
  cars.server.as(who).post('/api/v1/chart/data', { ...createContext(query), ...rest })
const encodeForm = (form: object) =>
  encodeURIComponent(JSON.stringify({ datasource: `${cars.dataset}__table`, viz_type: 'table', ...form }))

describe('engine messages about a query', () => {
  it('are shown to users who may read the whole database', async () => {
    const { statusCode, body } = await ask('admin', { columns: [wrong], metrics: [] })
    expect(statusCode).toBe(400)
    expect(body).toContain('Horsepwer')
    expect(body).toContain('Candidate bindings')
  })

  it('are reduced to the kind of error for other users', async () => {
    const { statusCode, body } = await ask('gamma', { columns: [wrong], metrics: [] })
    expect([statusCode, JSON.parse(body)]).toEqual([
      400,
      { message: 'Error: The query refers to a column that does not exist.' },
    ])
  })

  it('reveal no value of a row through an expression that fails on it', async () => {
    const cast = { expressionType: 'SQL', sqlExpression: 'CAST(Name AS INT)', label: 'x' }
    expect((await ask('admin', { columns: [cast], metrics: [] })).body).toContain('Could not convert string')
    const { statusCode, body } = await ask('gamma', { columns: [cast], metrics: [] })
    expect([statusCode, JSON.parse(body)]).toEqual([400, { message: 'Error: The database rejected the query.' }])
  })
})

describe('an invalid row-level security rule', () => {
  beforeAll(() => addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Gamma', 'hidden_rule = 1'))
  afterAll(async () => void (await cars.server.deps.db.deleteFrom('row_rule').execute()))

  it.each([
    ['a question', () => ask('gamma', { columns: ['Name'], metrics: [] })],
    ['a file', () => ask('gamma', { columns: ['Name'], metrics: [] }, { result_format: 'csv' })],
    [
      'the stream of a dashboard',
      () =>
        cars.server.as('gamma').post(`/api/v1/dashboard/${dashboard}/data`, { charts: [{ id: chart }], data_mask: {} }),
    ],
    ['a stored chart', () => cars.server.as('gamma').get(`/api/v1/chart/${chart}/data/?force=true`)],
    [
      'the legacy call',
      () =>
        cars.server
          .as('gamma')
          .get(
            `/superset/explore_json/?force=true&form_data=${encodeForm({ query_mode: 'raw', all_columns: ['Name'] })}`,
          ),
    ],
    [
      'samples',
      () =>
        cars.server
          .as('gamma')
          .post(`/datasource/samples?datasource_type=table&datasource_id=${cars.dataset}&force=true`, {}),
    ],
    [
      'the check of an expression',
      () =>
        cars.server.as('gamma').post(`/api/v1/datasource/table/${cars.dataset}/validate_expression/`, {
          expression: 'Name',
          expression_type: 'column',
        }),
    ],
    [
      'the look at its columns',
      () => cars.server.as('gamma').get(`/api/v1/dataset/${cars.dataset}/profile?force=true`),
    ],
    [
      'the values of a filter',
      () => cars.server.as('gamma').get(`/api/v1/datasource/table/${cars.dataset}/column/Name/values/`),
    ],
  ])('is not revealed by %s to users whom it restricts', async (_, call) => {
    const { body, statusCode } = await call()
    expect(body).toContain('The query refers to a column that does not exist.')
    expect(body).not.toMatch(/hidden_rule|Binder|Candidate/)
    expect([200, 400]).toContain(statusCode)
  })
})

it('template errors of a row-level security rule are shown only to users who may read the table unrestricted', async () => {
  const { db } = cars.server.deps
  for (const role of ['Gamma', 'Admin'])
    await addRowLevelSecurityRule(db, cars.dataset, role, `Origin = '{{ hidden_${role}() }}'`)
  const [mine, others] = [
    await ask('admin', { columns: ['Name'], metrics: [] }),
    await ask('gamma', { columns: ['Name'], metrics: [] }),
  ]
  await db.deleteFrom('row_rule').execute()
  expect(mine.body).toContain('hidden_Admin')
  expect([others.statusCode, others.json()]).toEqual([
    400,
    { message: 'Error: A row-level security rule on cars could not be applied. Contact an administrator.' },
  ])
})

it('connection errors reveal host, account and database only to users who may read the whole database', () => {
  const original = new AppError('connection_password', { message: 'no entry for host "10.0.0.7", user "etl"' })
  const database = { id: 7, database_name: 'd' }
  const none = { isAdmin: false, permissions: new Set<string>() } as unknown as Principal
  const reader = { isAdmin: false, permissions: new Set(['database_access [d].(id:7)']) } as unknown as Principal
  expect(redactDatabaseError(original, reader, database)).toBe(original)
  const redacted = redactDatabaseError(original, none, database) as AppError
  expect([redacted.code, redacted.status, redacted.message]).toEqual([
    'connection_failed',
    422,
    'Could not reach the database. Try again later, or contact an administrator.',
  ])
})

it('invalid SQL of a dataset is shown to its author, not to its readers', async () => {
  const { db } = cars.server.deps
  const sql = 'SELECT secret_column FROM cars'
  await db.updateTable('dataset').set({ sql }).where('id', '=', cars.dataset).execute()
  const path = `/datasource/external_metadata/table/${cars.dataset}/`
  const [mine, others] = [await cars.server.as('admin').get(path), await cars.server.as('gamma').get(path)]
  await db.updateTable('dataset').set({ sql: null }).where('id', '=', cars.dataset).execute()
  expect(mine.body).toContain('secret_column')
  expect([others.statusCode, others.body]).toEqual([
    400,
    expect.stringContaining('The database rejected the SQL of this dataset. Ask an owner of the dataset to fix it.'),
  ])
})

it('an error in an expression is shown with its position to all users', async () => {
  const { statusCode, body } = await cars.server
    .as('gamma')
    .post(`/api/v1/datasource/table/${cars.dataset}/validate_expression/`, {
      expression: 'SUM(Horsepwer)',
      expression_type: 'metric',
    })
  expect([statusCode, JSON.parse(body)]).toEqual([
    200,
    {
      result: [
        {
          line_number: 1,
          start_column: 5,
          end_column: 14,
          message: 'The query refers to a column that does not exist.',
        },
      ],
    },
  ])
})
