import { buildFrame } from '@parquetry/frame'
import type { Picture } from '@parquetry/model'
import { expect, it } from 'vitest'
import { listChartTables } from './chart-tables.ts'

it('columns of files have the verbose names of the dataset as headings, as in a download of the chart', () => {
  const dataset = { verbose_map: { n: 'Flights', empty: '' } }
  const chart = { id: 1, viz_type: 'table', title: 'T', form: {}, dataset }
  const frame = buildFrame({ n: [1], empty: [2], toString: [3] })
  const results = new Map([[1, { frames: { rows: frame }, error: null, isTruncated: false }]])
  const [{ tables } = { tables: [] }] = listChartTables(
    { charts: [chart] } as unknown as Picture,
    results as never,
    String,
  )
  expect(tables[0]?.frame.columns.map(({ heading }) => heading)).toEqual(['Flights', 'empty', 'toString'])
  expect(tables[0]?.frame.columns.map(({ name }) => name)).toEqual(['n', 'empty', 'toString'])
})
