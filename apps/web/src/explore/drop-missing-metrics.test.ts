import { loadChart } from '@parquetry/charts'
import { expect, it } from 'vitest'
import { dropMissingMetrics } from './drop-missing-metrics.ts'
import type { ExploreDataset } from './use-explore.ts'

const dataset = {
  columns: [{ column_name: 'mass' }],
  metrics: [{ metric_name: 'count' }],
  verbose_map: {},
  time_grain_sqla: [],
} as unknown as ExploreDataset
const load = async (vizType: string) => (await loadChart(vizType)) ?? expect.unreachable()
const average = (column_name: string) => ({
  expressionType: 'SIMPLE',
  aggregate: 'AVG',
  column: { column_name },
  label: `AVG(${column_name})`,
})
const sql = { expressionType: 'SQL', sqlExpression: 'SUM(rain)', label: 'rain' }

it('CTRL-047: drops saved metrics and metrics on columns that the dataset lacks, in lists and single fields', async () => {
  const table = await load('table')
  const metrics = ['count', 'sum__rain', average('mass'), average('rain'), sql]
  const form = { viz_type: 'table', query_mode: 'aggregate', groupby: ['city'], metrics }
  expect(dropMissingMetrics(form, table, dataset)).toEqual({ ...form, metrics: ['count', average('mass'), sql] })
  const pie = await load('pie')
  expect(dropMissingMetrics({ viz_type: 'pie', metric: average('rain') }, pie, dataset)).toEqual({ viz_type: 'pie' })
})

it('CTRL-047: returns the same form if the dataset has all metrics', async () => {
  const form = { viz_type: 'pie', metric: 'count', groupby: ['city'] }
  expect(dropMissingMetrics(form, await load('pie'), dataset)).toBe(form)
})
