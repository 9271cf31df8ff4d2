import { expect, it } from 'vitest'
import { suggestChartName } from './suggest-chart-name.ts'
import type { ExploreDataset } from './use-explore.ts'

const dataset = { table_name: 'flights', verbose_map: { origin: 'Airport' } } as unknown as ExploreDataset
const t = (_: string, text: string, values: Record<string, unknown> = {}) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'COUNT(*)' }
const named = (form: object) => suggestChartName({ viz_type: 'table', ...form }, dataset, t as never)

it('names an unnamed chart by its metric and dimensions, with verbose names', () => {
  expect(named({ metrics: [count], x_axis: 'date', groupby: ['origin', 'carrier'] })).toBe('COUNT(*) by date, Airport')
  expect(named({ metric: count, metrics: [], groupby: null })).toBe('COUNT(*), flights')
  expect(named({ all_columns: ['origin'] })).toBe('flights')
  expect(named({ metrics: [count], parquetry: { title: 'Flights per day' } })).toBe('Flights per day')
})
