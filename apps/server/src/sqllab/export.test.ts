import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unzip } from '../unzip.testing.ts'
import { newId, startTestLab, type TestLab } from './testing.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']

let lab: TestLab
beforeAll(async () => {
  lab = await startTestLab()
}, 60_000)
afterAll(() => lab.close())

const runSql = async (sql: string, more: object = {}): Promise<string> => {
  const client_id = newId()
  const response = await lab.run(sql, { client_id, tab: 'My tab', ...more })
  expect([response.statusCode, response.body.slice(0, 200)]).toEqual([200, expect.anything()])
  return client_id
}
/** Download by the endpoint of later releases. */
const streamed = (client_id: string, filename = 'a.csv') =>
  lab.server.as('admin', 'session').send('POST', '/api/v1/sqllab/export_streaming/', {
    payload: new URLSearchParams({ client_id, filename, expected_rows: '1' }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const file = (id: string, query = '') => lab.server.as('admin').get(`/api/v1/sqllab/export/${id}/${query}`)

describe('a run as a file', () => {
  it('is CSV named after its tab and the time, with formulas escaped', async () => {
    const id = await runSql(`SELECT * FROM (VALUES (1, '=1+1'), (2, 'a"b')) t(n, t) ORDER BY n`)
    const response = await file(id)
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(response.headers['content-disposition']).toMatch(/^attachment; filename="sqllab_My tab_\d{8}_\d{6}\.csv"$/)
    expect(response.body).toBe(`n,t\n1,'=1+1\n2,"a""b"\n`)
  })

  it('has the rows of the run, or with rows=all those beyond its limit and the display limit', async () => {
    const id = await runSql('SELECT range AS n FROM range(12000)', { queryLimit: 11_000 })
    expect((await file(id)).body.split('\n').length).toBe(11_002)
    expect((await file(id, '?rows=all')).body.split('\n').length).toBe(12_002)
    expect((await file(id, '?rows=some')).statusCode).toBe(400)
  })

  it('uses the encoding and separator of CSV_EXPORT', async () => {
    const { config } = lab.server.deps.settings
    const id = await runSql('SELECT 1 AS a, 2 AS b')
    config.CSV_EXPORT = { encoding: 'utf-8-sig', sep: ';' }
    const { body } = await file(id)
    config.CSV_EXPORT = { encoding: 'utf-8' }
    expect(body).toBe('\ufeffa;b\n1;2\n')
  })

  it('is XLSX that preserves texts, numbers, times and long integers', async () => {
    const id =
      await runSql(`SELECT 1 AS n, '=1+1 <&> ' || chr(1) || '_x0041_' AS t, 9007199254740993 AS big, NULL AS nothing,
      TIMESTAMP '2024-02-29 12:00:00' AS at, DATE '1800-01-02' AS old, true AS yes, 1.25::DECIMAL(9,2) AS d`)
    const response = await file(id, '?format=xlsx')
    expect([response.statusCode, response.headers['content-disposition']]).toEqual([
      200,
      expect.stringContaining('.xlsx"'),
    ])
    const parts = await unzip(response.rawPayload)
    expect([...parts.keys()].toSorted()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ])
    const [head, heading, row] = (parts.get('xl/worksheets/sheet1.xml') ?? '')
      .replaceAll(/ r="[A-Z]*\d+"/g, '')
      .split('<row>')
    const text = (inner: string) => `<c t="inlineStr"><is><t xml:space="preserve">${inner}</t></is></c>`
    const bold = (inner: string) => text(inner).replace('<c ', '<c s="4" ')
    expect(heading).toBe(`${['n', 't', 'big', 'nothing', 'at', 'old', 'yes', 'd'].map(bold).join('')}</row>`)
    expect(head).toMatch(/<col min="5" max="5" width="20" customWidth="1"\/>.*<\/cols><sheetData>$/)
    expect(row).toBe(
      [
        '<c><v>1</v></c>',
        text('=1+1 &lt;&amp;&gt; _x0001__x005F_x0041_'),
        '<c t="inlineStr"><is><t>9007199254740993</t></is></c>',
        '<c/>',
        '<c s="2"><v>45351.5</v></c>',
        text('1800-01-02'),
        '<c t="b"><v>1</v></c>',
        '<c><v>1.25</v></c>',
        '</row></sheetData></worksheet>',
      ].join(''),
    )
  })

  it('reports what a spreadsheet cannot hold, instead of writing a broken file', async () => {
    const long = await runSql(`SELECT repeat('x', 32768) AS t`)
    expect((await file(long, '?format=xlsx')).json()).toMatchObject({
      errors: [
        { error_type: 'RESULT_TOO_LARGE_ERROR', message: expect.stringContaining('32,767 characters') as string },
      ],
    })
    const many = await runSql('SELECT range AS n FROM range(1048576)')
    const response = await file(many, '?format=xlsx&rows=all')
    expect(response.json()).toMatchObject({
      errors: [{ message: expect.stringContaining('1,048,575 rows') as string }],
    })
  })

  it('is Parquet that reads back as the same values', async () => {
    const id = await runSql(
      `SELECT range AS n, 'text ' || range AS t, CASE WHEN range % 3 = 0 THEN NULL ELSE range / 2.0 END AS f,
      TIMESTAMP '2024-02-29 12:00:00.123456' + INTERVAL (range) SECOND AS at, DATE '1800-01-02' AS old, range % 2 = 0 AS even,
      9007199254740993 + range AS big, (range / 100)::DECIMAL(12,2) AS d, [1, 2] AS list FROM range(5000)`,
      { queryLimit: 5000 },
    )
    const response = await file(id, '?format=parquet')
    expect(response.rawPayload.subarray(0, 4).toString()).toBe('PAR1')
    const path = join(lab.server.deps.settings.files[0]!, 'files', 'back.parquet')
    writeFileSync(path, response.rawPayload)
    const database_id = await lab.connect({ database_name: 'back', sqlalchemy_uri: `duckdb:///${path}` })
    const read = async (sql: string) => (await lab.run(sql, { database_id })).json<{ data: object[] }>().data
    expect(await read('SELECT count(*) AS c, count(f) AS f, count(DISTINCT t) AS t, sum(n) AS n FROM back')).toEqual([
      { c: 5000, f: 3333, t: 5000, n: 12_497_500 },
    ])
    expect(await read('SELECT * FROM back WHERE n = 4999')).toEqual([
      {
        n: 4999,
        t: 'text 4999',
        f: 2499.5,
        at: '2024-02-29T13:23:19.123456',
        old: '1800-01-02',
        even: false,
        big: '9007199254745992',
        d: 49.99,
        list: '[1, 2]',
      },
    ])
  })

  it('is forbidden without permission, and not found for other users', async () => {
    const id = await runSql('SELECT 1 AS a')
    expect((await lab.server.as('gamma').get(`/api/v1/sqllab/export/${id}/`)).statusCode).toBe(403)
    const response = await lab.server.as('sqllab').get(`/api/v1/sqllab/export/${id}/`)
    expect([response.statusCode, response.json()]).toMatchObject([
      404,
      { errors: [{ error_type: 'RESULTS_BACKEND_ERROR' }] },
    ])
  })

  it('is streamed by the endpoint of later releases', async () => {
    const client_id = await runSql('SELECT 1 AS a')
    const response = await streamed(client_id, 'a/ü"b.csv')
    expect([response.statusCode, response.body]).toEqual([200, 'a\n1\n'])
    expect(response.headers['content-disposition']).toBe(
      `attachment; filename="a___b.csv"; filename*=UTF-8''a_%C3%BC_b.csv`,
    )
  })
})

/** SQL over `n` from 1 to 70,000, requested limits, and the rows of the run. */
const limitCases: readonly [sql: string, queryLimit: number, rows: number][] = [
  ['SELECT n FROM numbers', 10, 10],
  ['SELECT n FROM numbers', 60_000, 60_000],
  ['SELECT n FROM numbers ORDER BY n DESC', 12, 12],
  ['SELECT n FROM numbers LIMIT 20', 10, 10],
  ['SELECT n FROM numbers LIMIT 5', 10, 5],
  ['SELECT n FROM numbers LIMIT 66000', 60_000, 60_000],
  ['SELECT 1 AS a; SELECT n FROM numbers', 10, 10],
]

async function expectLimits(numbers: string, more: object): Promise<void> {
  const counts: unknown[] = []
  for (const [sql, queryLimit] of limitCases) {
    const id = await runSql(sql.replaceAll('numbers', numbers), { queryLimit, ...more })
    for (const { body } of [await streamed(id), await file(id)]) counts.push(body.trimEnd().split('\n').length - 1)
  }
  expect(counts).toEqual(limitCases.flatMap(([, , rows]) => [rows, rows]))
}

it('a streamed file has the rows that the limit of its run allows', () => expectLimits('range(1, 70001) AS t(n)', {}))

describe.skipIf(!url)('a run on PostgreSQL as a file', () => {
  it('has the rows that the limit of its run allows', async () => {
    const database_id = await lab.connect({ database_name: 'pg limits', sqlalchemy_uri: url })
    await expectLimits('generate_series(1, 70000) AS t(n)', { database_id })
  })

  it('does not change data a second time', async () => {
    const database_id = await lab.connect({ database_name: 'pg', sqlalchemy_uri: url, allow_dml: true })
    const table = `export_${process.pid}`
    const id = await runSql(`CREATE TABLE ${table} (a int); INSERT INTO ${table} VALUES (1)`, { database_id })
    expect((await file(id)).statusCode).toBe(400)
    const both = await runSql(`INSERT INTO ${table} VALUES (2); SELECT * FROM ${table} ORDER BY a`, { database_id })
    expect((await file(both)).body).toBe('a\n1\n2\n')
    expect((await unzip((await file(both, '?format=xlsx')).rawPayload)).size).toBe(6)
    await runSql(`DROP TABLE ${table}`, { database_id })
  })
})
