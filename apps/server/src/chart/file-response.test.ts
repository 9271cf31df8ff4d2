import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'
import { unzip } from '../unzip.testing.ts'

let lab: TestLab
let dataset: number
beforeAll(async () => {
  lab = await startTestLab()
  const created = await lab.server
    .as('admin')
    .post('/api/v1/dataset/', { database: lab.files, table_name: 'cars', schema: 'main' })
  dataset = created.json<{ id: number }>().id
}, 60_000)
afterAll(() => lab.close())

const requestFile = (result_format: string, overrides: object = {}) =>
  lab.server.as('admin').post('/api/v1/chart/data', {
    datasource: { id: dataset, type: 'table' },
    queries: [{ columns: ['id', 'name'], metrics: [], orderby: [['id', true]] }],
    result_format,
    ...overrides,
  })

it.each([
  ['rows', {}],
  [
    'a pivot table',
    {
      result_type: 'post_processed',
      form_data: {
        viz_type: 'pivot_table_v2',
        groupbyRows: ['name'],
        groupbyColumns: [],
        metrics: ['id'],
        aggregateFunction: 'Sum',
      },
    },
  ],
])('exports a chart as a spreadsheet: %s', async (_, overrides) => {
  const response = await requestFile('xlsx', overrides)
  expect([response.statusCode, response.headers['content-type']]).toEqual([
    200,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ])
  expect(response.headers['content-disposition']).toMatch(/filename=\d{8}_\d{6}\.xlsx$/)
  expect(response.rawPayload.subarray(0, 2).toString()).toBe('PK')
  expect(response.rawPayload.length).toBeGreaterThan(1000)
})

it('exports numbers, times and texts to a spreadsheet under the headings of the dataset; no text becomes a formula', async () => {
  const { id } = (
    await lab.server.as('admin').post('/api/v1/dataset/', {
      database: lab.files,
      table_name: 'spread',
      schema: 'main',
      sql: `SELECT '=1+1' AS t, TIMESTAMP '2024-02-29 12:00:00' AS at, 1.5 AS n`,
    })
  ).json<{ id: number }>()
  const body = {
    columns: [{ column_name: 't', verbose_name: '+Name' }, { column_name: 'at', is_dttm: true }, { column_name: 'n' }],
  }
  expect((await lab.server.as('admin').put(`/api/v1/dataset/${id}?override_columns=true`, body)).statusCode).toBe(200)
  const response = await requestFile('xlsx', {
    datasource: { id, type: 'table' },
    queries: [{ columns: ['t', 'at', 'n'], metrics: [] }],
  })
  const parts = await unzip(response.rawPayload)
  expect(parts.get('xl/workbook.xml')).toContain('<sheet name="Sheet1"')
  const sheet = (parts.get('xl/worksheets/sheet1.xml') ?? '').replaceAll(/ r="[A-Z]*\d+"/g, '')
  const rows = sheet.split('<row>').slice(1)
  const cells = rows.map((row) =>
    [...row.matchAll(/<c([^>]*)>(?:<is><t[^>]*>|<v>)([^<]*)/g)].map(([, attributes, value]) => [
      attributes?.trim(),
      value,
    ]),
  )
  const [text, bold] = ['t="inlineStr"', 's="4" t="inlineStr"']
  expect(cells).toEqual([
    [
      [bold, '+Name'],
      [bold, 'at'],
      [bold, 'n'],
    ],
    [
      [text, '=1+1'],
      ['s="2"', '45351.5'],
      ['', '1.5'],
    ],
  ])
  expect(sheet).not.toContain('<f>')
})

it('exports a chart as a Parquet file', async () => {
  const response = await requestFile('parquet')
  expect(response.statusCode, response.rawPayload.subarray(0, 300).toString()).toBe(200)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/vnd.apache.parquet'])
  expect(response.headers['content-disposition']).toMatch(/filename=\d{8}_\d{6}\.parquet$/)
  expect(response.rawPayload.subarray(0, 4).toString()).toBe('PAR1')
  expect(response.rawPayload.subarray(-4).toString()).toBe('PAR1')
})

it.each(['ods', 'constructor'])('rejects the unknown format %s', async (format) => {
  expect((await requestFile(format)).statusCode).toBe(400)
})
