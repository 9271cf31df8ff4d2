import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'

let lab: TestLab
let dataset: number
beforeAll(async () => {
  lab = await startTestLab()
  const made = await lab.server
    .as('admin')
    .post('/api/v1/dataset/', { database: lab.files, table_name: 'cars', schema: 'main' })
  dataset = made.json<{ id: number }>().id
}, 60_000)
afterAll(() => lab.close())

const ask = (result_format: string, more: object = {}) =>
  lab.server.as('admin').post('/api/v1/chart/data', {
    datasource: { id: dataset, type: 'table' },
    queries: [{ columns: ['id', 'name'], metrics: [], orderby: [['id', true]] }],
    result_format,
    ...more,
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
])('a chart is a spreadsheet: %s', async (_, more) => {
  const answer = await ask('xlsx', more)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([
    200,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ])
  expect(answer.headers['content-disposition']).toMatch(/filename=\d{8}_\d{6}\.xlsx$/)
  expect(answer.rawPayload.subarray(0, 2).toString()).toBe('PK')
  expect(answer.rawPayload.length).toBeGreaterThan(1000)
})

it('a chart is a Parquet file', async () => {
  const answer = await ask('parquet')
  expect(answer.statusCode, answer.rawPayload.subarray(0, 300).toString()).toBe(200)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/vnd.apache.parquet'])
  expect(answer.headers['content-disposition']).toMatch(/filename=\d{8}_\d{6}\.parquet$/)
  expect(answer.rawPayload.subarray(0, 4).toString()).toBe('PAR1')
  expect(answer.rawPayload.subarray(-4).toString()).toBe('PAR1')
})

it.each(['ods', 'constructor'])('knows no file of the format %s', async (format) => {
  expect((await ask(format)).statusCode).toBe(400)
})
