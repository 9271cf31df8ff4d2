import type { Plan } from '@parquetry/model'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { neverAborted, startTestRunners, type TestRunners } from './testing.ts'

let test: TestRunners
beforeAll(async () => {
  test = await startTestRunners()
})
afterAll(() => test.close())

const columns: Plan['columns'] = ['a', 'b', 'n'].map((name) => ({ name, kind: null, heading: `raw ${name}` }))
const layout = {
  form: { viz_type: 'pivot_table_v2', groupbyRows: ['a'], groupbyColumns: ['b'], metrics: ['n'], rowTotals: true },
  headings: { n: 'Number' },
}
const sql = `SELECT a, b, length(a) AS n FROM words ORDER BY a`
const run = async (own: Parameters<TestRunners['plan']>[1]) => {
  const { header, body } = await test.runners.run(test.plan(sql, { columns, ...own }), neverAborted)
  return { header, text: body.toString() }
}

it('lays out a result as its chart shows it and returns the names', async () => {
  const { header, text } = await run({ layout })
  expect(header.layout).toEqual({
    colnames: [
      ['Number', 'b'],
      ['Number', 'Subtotal'],
      ['Total (Sum)', ''],
    ],
    indexnames: [['a0'], ['a1'], ['a2']],
    coltypes: [0, 0, 0],
  })
  expect(header).toMatchObject({ rowcount: 3, sql_rowcount: 3 })
  expect(header.columns.map(({ name }) => name)).toEqual(['a', 'b', 'n'])
  const each = { a0: 2, a1: 2, a2: 2 }
  expect(JSON.parse(text)).toEqual({ 'Number b': each, 'Number Subtotal': each, 'Total (Sum)': each })
})

it('writes a layout to a file with its own headings, even for large results', async () => {
  const encode = { as: 'csv', escape: true, separator: ',', header: true } as const
  const file = ',Number b,Number Subtotal,Total (Sum)\na0,2,2,2\na1,2,2,2\na2,2,2,2\n'
  expect((await run({ layout, encode })).text).toBe(file)
  expect((await run({ layout, encode, limits: { rows: 1_000_000 } })).text).toBe(file)
  expect((await run({ encode })).text.split('\n')[0]).toBe('raw a,raw b,raw n')
})

it('formats the columns of a table and leaves other charts unchanged', async () => {
  const table = { viz_type: 'table', column_config: { n: { d3NumberFormat: '.2f' } } }
  const { header, text } = await run({ layout: { ...layout, form: table } })
  expect(header.layout).toMatchObject({ colnames: ['a', 'b', 'Number'], indexnames: [0, 1, 2], coltypes: [1, 1, 1] })
  expect(JSON.parse(text)).toMatchObject({ Number: { 0: '2.00', 1: '2.00', 2: '2.00' } })
  const pie = await run({ layout: { ...layout, form: { viz_type: 'pie' } } })
  expect(pie.header.layout).toBeUndefined()
  expect(JSON.parse(pie.text)).toHaveLength(3)
})

it('cannot exceed the limits', async () => {
  await expect(run({ layout, limits: { cells: 8 } })).rejects.toMatchObject({ code: 'result_too_large' })
  await expect(run({ layout, limits: { bytes: 40 } })).rejects.toMatchObject({ code: 'result_too_large' })
})

it('reports a column of nulls as text, like the API, but not in the editor', async () => {
  const nulls = `SELECT a, CAST(NULL AS DOUBLE) AS b, CASE WHEN a = 'a2' THEN 1 END AS n FROM words`
  const generics = async (planned: Plan['columns']) =>
    (await test.runners.run(test.plan(nulls, { columns: planned }), neverAborted)).header.columns.map(
      ({ generic }) => generic,
    )
  expect(await generics(columns)).toEqual([1, 1, 0])
  expect(await generics([])).toEqual([1, 0, 0])
})

it('returns the positions of sorted rows', async () => {
  const steps = [{ operation: 'sort', options: { by: 'a', ascending: false } }]
  expect((await run({ steps })).header.indexNames).toEqual([2, 1, 0])
})
