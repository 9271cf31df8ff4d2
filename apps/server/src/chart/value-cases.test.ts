import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ExecuteResult, newId, startTestLab, type TestLab } from '../sqllab/testing.ts'

let lab: TestLab
beforeAll(async () => {
  lab = await startTestLab()
}, 60_000)
afterAll(() => lab.close())

let lastName = 0

/** A virtual dataset of the SQL. @returns its id */
async function createDataset(sql: string, columns: object[] = []): Promise<number> {
  const admin = lab.server.as('admin')
  const table_name = `value_case_${++lastName}`
  const made = await admin.post('/api/v1/dataset/', { database: lab.files, table_name, schema: 'main', sql })
  if (made.statusCode !== 201) throw new Error(made.body)
  const { id } = made.json<{ id: number }>()
  if (columns.length > 0) {
    const changed = await admin.put(`/api/v1/dataset/${id}?override_columns=true`, { columns })
    if (changed.statusCode !== 200) throw new Error(changed.body)
  }
  return id
}

/** Asks for chart data with a body of JSON text, in which numbers have any number of digits. */
async function ask(id: number, query: string, format = 'json'): Promise<string> {
  const body = `{"datasource":{"id":${id},"type":"table"},"queries":[${query}],"result_format":"${format}","result_type":"full"}`
  const headers = { 'content-type': 'application/json' }
  const response = await lab.server.as('admin').send('POST', '/api/v1/chart/data', { payload: body, headers })
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.body
}

const rowsOf = (body: string) =>
  (JSON.parse(body) as { result: { data: Record<string, unknown>[]; query: string }[] }).result[0]!

it('regression: a number of a filter reaches the database as it was typed, as a number or as text', async () => {
  const id = await createDataset(
    'SELECT * FROM (VALUES (9007199254740994), (9007199254740995), (9007199254740996)) t(n)',
  )
  for (const typed of ['9007199254740995', '"9007199254740995"']) {
    const body = await ask(id, `{"columns":["n"],"metrics":[],"filters":[{"col":"n","op":"==","val":${typed}}]}`)
    expect(body).toContain('{"n":9007199254740995}')
    expect(rowsOf(body).data).toHaveLength(1)
    expect(rowsOf(body).query).toContain('9007199254740995')
  }
})

it('regression: sums of long integers and decimals keep their digits', async () => {
  const id = await createDataset(
    `SELECT 9007199254740993::BIGINT AS n, 12345678901234567890::UBIGINT AS u, 1234567890123456789012345678.0123456789::DECIMAL(38, 10) AS d`,
  )
  const metric = (column_name: string) =>
    JSON.stringify({ expressionType: 'SIMPLE', aggregate: 'SUM', column: { column_name }, label: column_name })
  const query = `{"columns":[],"metrics":[${['n', 'u', 'd'].map(metric).join(',')}]}`
  expect(await ask(id, query)).toContain(
    '{"n":9007199254740993,"u":12345678901234567890,"d":1234567890123456789012345678.0123456789}',
  )
  expect(await ask(id, query, 'csv')).toBe(
    'n,u,d\n9007199254740993,12345678901234567890,1234567890123456789012345678.0123456789\n',
  )
})

it('regression: values that are not finite are words in a CSV file', async () => {
  const id = await createDataset(`SELECT 1.0 / 0 AS a, -1.0 / 0 AS b, 0.0 / 0 AS c, CAST(0.1 AS FLOAT) AS f`)
  expect(await ask(id, '{"columns":["a","b","c","f"],"metrics":[]}', 'csv')).toBe(
    'a,b,c,f\nInfinity,-Infinity,NaN,0.1\n',
  )
})

it('C009: percent signs in texts, patterns and names stay as they are', async () => {
  const sql = `SELECT '50%%' AS q, '100%' AS "p%", '%s %(x)s %d' AS f, 10 % 4 AS m FROM (SELECT 'kim@mail.test' AS e) t WHERE e NOT LIKE '%@other.test'`
  const client_id = newId()
  const run = (await lab.run(sql, { client_id })).json<ExecuteResult>()
  const row = { q: '50%%', 'p%': '100%', f: '%s %(x)s %d', m: 2 }
  expect(run.data).toEqual([row])
  const { body } = await lab.server.as('admin').get(`/api/v1/sqllab/export/${client_id}/`)
  expect(body).toBe("q,p%,f,m\n50%%,100%,'%s %(x)s %d,2\n")
  const id = await createDataset(sql)
  const filter = { col: 'p%', op: 'LIKE', val: String.raw`%0\%` }
  const answer = rowsOf(
    await ask(id, JSON.stringify({ columns: ['q', 'p%', 'f', 'm'], metrics: [], filters: [filter] })),
  )
  expect(answer.data).toEqual([row])
  expect(answer.query).toContain(`'50%%' AS q, '100%' AS "p%"`)
})

it('C010: names with dots, colons, quotes, brackets and letters of other scripts reach a chart', async () => {
  const values: Record<string, number> = {
    'shop.total': 1510,
    'pct %::x': 11,
    'Made on': 3,
    'say "hi"': 5,
    'größe-码': 6,
    select: 7,
    ':bind': 8,
    '[b]': 9,
    'a,b': 10,
    '<i>': 12,
    __timestamp: 13,
    constructor: 14,
  }
  const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
  const id = await createDataset(
    `SELECT ${Object.entries(values)
      .map(([name, value]) => `${value} AS ${quote(name)}`)
      .join(', ')}`,
  )
  const samples = await lab.server.as('admin').post(`/datasource/samples?datasource_id=${id}&datasource_type=table`, {})
  expect(samples.json<{ result: { data: object[] } }>().result.data).toEqual([values])
  for (const [name, value] of Object.entries(values)) {
    const raw = await ask(id, JSON.stringify({ columns: [name], metrics: [] }))
    expect(rowsOf(raw).data).toEqual([{ [name]: value }])
    const metric = { expressionType: 'SIMPLE', aggregate: 'SUM', column: { column_name: name }, label: `SUM(${name})` }
    const filters = [{ col: name, op: 'IN', val: [value] }]
    const grouped = await ask(id, JSON.stringify({ columns: [name], metrics: [metric], filters }))
    expect(rowsOf(grouped).data).toEqual([{ [name]: value, [`SUM(${name})`]: value }])
  }
})

it('C010: a column with the name of the time of a chart is refused by name as its dimension beside that time', async () => {
  const id = await createDataset(`SELECT 13 AS "__timestamp", TIMESTAMP '2024-02-29' AS at`)
  const query = { columns: ['__timestamp'], metrics: ['count'], is_timeseries: true, granularity: 'at' }
  await expect(ask(id, JSON.stringify(query))).rejects.toThrow(/__timestamp is reserved/)
})

it('C011: a result without rows has its columns and their types', async () => {
  const sql = `SELECT CAST(1 AS INTEGER) AS a, CAST('x' AS VARCHAR) AS b, CAST(NULL AS DATE) AS d WHERE 1 = 0`
  const client_id = newId()
  const run = (await lab.run(sql, { client_id })).json<ExecuteResult>()
  expect(run.data).toEqual([])
  expect(run.columns.map(({ column_name, is_dttm }) => [column_name, is_dttm])).toEqual([
    ['a', false],
    ['b', false],
    ['d', true],
  ])
  const { body } = await lab.server.as('admin').get(`/api/v1/sqllab/export/${client_id}/`)
  expect(body).toBe('a,b,d\n')
  const id = await createDataset(sql)
  const dataset = await lab.server.as('admin').get(`/api/v1/dataset/${id}`)
  const { columns } = dataset.json<{ result: { columns: { column_name: string; type_generic: number }[] } }>().result
  expect(columns.map(({ column_name, type_generic }) => [column_name, type_generic])).toEqual([
    ['a', 0],
    ['b', 1],
    ['d', 2],
  ])
})

it('C012: whole numbers beside nulls stay whole in files', async () => {
  const sql = `SELECT 1 AS i, 'a' AS s, DATE '2024-02-29' AS d UNION ALL SELECT NULL, 'b', NULL UNION ALL SELECT 3, NULL, DATE '2024-03-01' ORDER BY 2 NULLS LAST`
  const client_id = newId()
  await lab.run(sql, { client_id })
  const csv = 'i,s,d\n1,a,2024-02-29\n,b,\n3,,2024-03-01\n'
  const exported = `/api/v1/sqllab/export/${client_id}/`
  expect((await lab.server.as('admin').get(exported)).body).toBe(csv)
  expect((await lab.server.as('admin').get(`${exported}?rows=all`)).body).toBe(csv)
  const id = await createDataset(sql)
  const query = { columns: ['i', 's', 'd'], metrics: [], orderby: [['s', true]] }
  expect(await ask(id, JSON.stringify(query), 'csv')).toBe(csv)
})

it('C035: numbers since 1970 are times in buckets, ranges, raw tables and value lists', async () => {
  const id = await createDataset(
    `SELECT * FROM (VALUES (1709164800::INTEGER, 1709164800000), (1709251199, 1709251199999), (1709251200, 1709251200000)) t(s, ms)`,
    [
      { column_name: 's', type: 'BIGINT', is_dttm: true, python_date_format: 'epoch_s' },
      { column_name: 'ms', type: 'BIGINT', is_dttm: true, python_date_format: 'epoch_ms' },
    ],
  )
  const time = (text: string) => Date.parse(`${text}Z`)
  for (const column of ['s', 'ms']) {
    const axis = (timeGrain: string) => ({
      columns: [{ sqlExpression: column, label: column, expressionType: 'SQL', columnType: 'BASE_AXIS', timeGrain }],
      metrics: ['count'],
      orderby: [[column, true]],
    })
    const buckets = async (grain: string) =>
      rowsOf(await ask(id, JSON.stringify(axis(grain)))).data.map((row) => [row[column], row['count']])
    expect(await buckets('P1D')).toEqual([
      [time('2024-02-29T00:00'), 2],
      [time('2024-03-01T00:00'), 1],
    ])
    expect(await buckets('P1M')).toEqual([
      [time('2024-02-01T00:00'), 2],
      [time('2024-03-01T00:00'), 1],
    ])
    const filters = [{ col: column, op: 'TEMPORAL_RANGE', val: '2024-02-29 : 2024-03-01' }]
    const counted = await ask(id, JSON.stringify({ columns: [], metrics: ['count'], filters }))
    expect(rowsOf(counted).data).toEqual([{ count: 2 }])
    const raw = await ask(id, JSON.stringify({ columns: [column], metrics: [], orderby: [[column, true]] }), 'csv')
    expect(raw.split('\n')[1]).toMatch(/^2024-02-29 00:00:00/)
    const chosen = [{ col: column, op: 'IN', val: ['2024-02-29 00:00:00'] }]
    const found = await ask(id, JSON.stringify({ columns: [], metrics: ['count'], filters: chosen }))
    expect(rowsOf(found).data).toEqual([{ count: 1 }])
  }
})

it('C072: texts and numbers find booleans, and nothing else', async () => {
  const id = await createDataset(
    `SELECT *, CASE WHEN ok THEN true WHEN NOT ok THEN false END AS made FROM (VALUES (true), (true), (false), (NULL)) t(ok)`,
  )
  const count = async (col: string, op: string, val: unknown) => {
    const filters = [{ col, op, ...(val !== undefined && { val }) }]
    return rowsOf(await ask(id, JSON.stringify({ columns: [], metrics: ['count'], filters }))).data[0]?.['count']
  }
  for (const column of ['ok', 'made'])
    expect([
      await count(column, 'IN', [true]),
      await count(column, 'IN', ['true']),
      await count(column, 'IN', [false]),
      await count(column, '==', 'false'),
      await count(column, 'IS TRUE', undefined),
      await count(column, 'IS FALSE', undefined),
      await count(column, 'IN', [false, null]),
      await count(column, '==', null),
      await count(column, '==', 'maybe'),
    ]).toEqual([2, 2, 1, 1, 2, 1, 2, 1, 0])
})

it('regression: a filter finds text that equals the signs for null and empty text, apart from null', async () => {
  const id = await createDataset(
    `SELECT * FROM (VALUES ('<NULL>'), ('<empty string>'), (''), (' '), (NULL), (e'x\\n')) t(v)`,
  )
  const count = async (filter: object) => {
    const filters = [{ col: 'v', ...filter }]
    return rowsOf(await ask(id, JSON.stringify({ columns: [], metrics: ['count'], filters }))).data[0]?.['count']
  }
  expect(await count({ op: '==', val: '<NULL>' })).toBe(1)
  expect(await count({ op: 'IN', val: ['<NULL>', '<empty string>', 'x\n'], isExact: true })).toBe(3)
  expect(await count({ op: 'IN', val: [null, '<NULL>'], isExact: true })).toBe(2)
  expect(await count({ op: 'IN', val: ['', ' '], isExact: true })).toBe(2)
})

it('regression: a query with two columns of one name is refused as a dataset with the reason', async () => {
  const body = { database: lab.files, table_name: 'repeated', schema: 'main', sql: 'SELECT 1 AS a, 2 AS a' }
  const response = await lab.server.as('admin').post('/api/v1/dataset/', body)
  expect([response.statusCode, response.body]).toEqual([422, expect.stringContaining('several columns named a')])
  const run = (await lab.run('SELECT 1 AS a, 2 AS a, 3 AS a__1 WHERE 1 = 0')).json<ExecuteResult>()
  expect(run.columns.map(({ column_name }) => column_name)).toEqual(['a', 'a__2', 'a__1'])
})
