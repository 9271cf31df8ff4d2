import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultFlags } from '../settings/config.ts'
import { type ExecuteResult, startTestLab, type TestLab } from '../sqllab/testing.ts'

let lab: TestLab
let cars: number
let since: number

const makeDataset = async (body: object): Promise<number> => {
  const made = await lab.server.as('admin').post('/api/v1/dataset/', { database: lab.files, ...body })
  expect([made.statusCode, made.body]).toEqual([201, expect.anything()])
  return made.json<{ id: number }>().id
}

beforeAll(async () => {
  lab = await startTestLab({ settings: { flags: { ...defaultFlags, ENABLE_TEMPLATE_PROCESSING: true } } })
  cars = await makeDataset({ table_name: 'cars', schema: 'main' })
  const changed = await lab.server.as('admin').put(`/api/v1/dataset/${cars}`, {
    metrics: [{ metric_name: 'highest', expression: 'MAX(id)' }],
  })
  expect(changed.statusCode).toBe(200)
  since = await makeDataset({
    table_name: 'since',
    schema: 'main',
    sql: `SELECT * FROM cars WHERE id >= {{ url_param('least', '1') }}`,
  })
}, 60_000)
afterAll(() => lab.close())

const rows = async (sql: string) => (await lab.run(sql)).json<ExecuteResult>().data

it('`dataset` renders the rows of a dataset, `metric` its expression', async () => {
  expect(await rows(`SELECT count(*) AS n FROM {{ dataset(${cars}, columns=['id']) }}`)).toEqual([{ n: 3 }])
  expect(await rows(`SELECT {{ metric('highest', ${cars}) }} AS m FROM cars`)).toEqual([{ m: 3 }])
})

it('reports a dataset or a metric that does not exist', async () => {
  expect((await lab.run('SELECT * FROM {{ dataset(999) }}')).statusCode).toBe(404)
  expect((await lab.run(`SELECT {{ metric('lowest', ${cars}) }}`)).body).toContain('Metric lowest not found in cars.')
})

it('rejects a dataset in a template when its own SQL contains templates', async () => {
  expect((await lab.run(`SELECT * FROM {{ dataset(${since}) }}`)).body).toContain(
    'row-level security rules contain templates',
  )
})

it('a chart renders the templates of its dataset with the choices of the viewer', async () => {
  const count = async (url_params: object) => {
    const response = await lab.server.as('admin').post('/api/v1/chart/data', {
      datasource: { id: since, type: 'table' },
      queries: [
        { columns: [], metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }], url_params },
      ],
    })
    return response.json<{ result: { data: unknown }[] }>().result?.[0]?.data ?? response.body
  }
  expect(await count({})).toEqual([{ n: 3 }])
  expect(await count({ least: '2' })).toEqual([{ n: 2 }])
})

it('from_dttm and to_dttm are the range of the query, also that of a filter, and empty without one', async () => {
  const day = `DATE '2024-01-01' + INTERVAL (id) DAY`
  const dated = await makeDataset({
    table_name: 'dated',
    schema: 'main',
    sql: `SELECT id, ${day} AS day, '{{ from_dttm }}' AS f, '{{ 'open' if to_dttm is none else to_dttm }}' AS t, '{{ get_time_filter().time_range }}' AS r FROM cars`,
  })
  const runTemplate = async (query: object) => {
    const response = await lab.server.as('admin').post('/api/v1/chart/data', {
      datasource: { id: dated, type: 'table' },
      queries: [{ columns: ['f', 't', 'r'], metrics: [], row_limit: 1, ...query }],
    })
    const [row] = response.json<{ result: { data: Record<string, unknown>[] }[] }>().result?.[0]?.data ?? []
    return row ? Object.values(row) : response.body
  }
  const [from, to, text] = ['2024-01-01T00:00:00', '2024-02-01T00:00:00', '2024-01-01 : 2024-02-01']
  expect(await runTemplate({})).toEqual(['None', 'open', 'No filter'])
  expect(await runTemplate({ time_range: 'No filter' })).toEqual(['None', 'open', 'No filter'])
  expect(await runTemplate({ time_range: text })).toEqual([from, to, text])
  expect(await runTemplate({ filters: [{ col: 'day', op: 'TEMPORAL_RANGE', val: text }] })).toEqual([from, to, text])
})

it('regression: macros without values still give SQL that runs', async () => {
  const where = `{{ url_param('none') }} IS NULL AND ({{ filter_values('id')[0] }} IS NULL OR id IN {{ filter_values('id')|where_in }})`
  const count = async (filters: object[], extras: object) => {
    const response = await lab.server.as('admin').post('/api/v1/chart/data', {
      datasource: { id: cars, type: 'table' },
      queries: [{ metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }], filters, extras }],
    })
    return response.json<{ result: { data: unknown }[] }>().result?.[0]?.data ?? response.body
  }
  expect(await count([], { where })).toEqual([{ n: 3 }])
  expect(await count([{ col: 'id', op: 'IN', val: [2] }], { where })).toEqual([{ n: 1 }])
  expect(await count([], { where: "id IN {{ filter_values('id')|where_in }}" })).toEqual([{ n: 0 }])
})

it('regression: saves a dataset whose SQL filters by a list', async () => {
  const sql = `SELECT * FROM cars WHERE id IN {{ filter_values('id', 1)|where_in }}`
  await makeDataset({ table_name: 'listed', schema: 'main', sql })
})

it('says which setting is off when SQL needs templates', async () => {
  const { flags } = lab.server.deps.settings
  flags['ENABLE_TEMPLATE_PROCESSING'] = false
  try {
    const chart = await lab.server.as('admin').post('/api/v1/chart/data', {
      datasource: { id: since, type: 'table' },
      queries: [{ metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }] }],
    })
    expect(chart.statusCode).toBe(400)
    expect(chart.body).toContain('ENABLE_TEMPLATE_PROCESSING')
    expect((await lab.run('SELECT {{ 1 + 1 }}')).body).toContain('ENABLE_TEMPLATE_PROCESSING')
    expect(await rows("SELECT {'a': {'b': '{{ name }}'}} AS s")).toHaveLength(1)
  } finally {
    flags['ENABLE_TEMPLATE_PROCESSING'] = true
  }
})

it('regression: reports an unknown function as a malformed template, and a missing parameter as missing', async () => {
  const runForError = async (sql: string) => {
    const { errors } = (await lab.run(sql)).json<{
      errors: { error_type: string; extra: { issue_codes: { code: number }[]; undefined_parameters?: string[] } }[]
    }>()
    const [{ error_type, extra } = { error_type: '', extra: { issue_codes: [] } }] = errors
    return [error_type, extra.issue_codes.map(({ code }) => code), extra.undefined_parameters]
  }
  expect(await runForError('SELECT {{ nope() }}')).toEqual(['INVALID_TEMPLATE_PARAMS_ERROR', [1028], undefined])
  expect(await runForError('SELECT {{ nope(n) }}')).toEqual(['INVALID_TEMPLATE_PARAMS_ERROR', [1028], undefined])
  expect(await runForError('SELECT {{ n')).toEqual(['INVALID_TEMPLATE_PARAMS_ERROR', [1028], undefined])
  expect(await runForError('SELECT {{ n }}')).toEqual(['MISSING_TEMPLATE_PARAMS_ERROR', [1006], ['n']])
  expect(await runForError('SELECT {{ n + 1 }}')).toEqual(['MISSING_TEMPLATE_PARAMS_ERROR', [1006], ['n']])
})
