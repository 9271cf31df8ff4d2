import { expect, it } from 'vitest'
import { loadChart, loadStoredForm } from './registry.ts'
import { carryOver } from './explore/carry-over.ts'
import { namedQueries } from './query/build-query-context.ts'

const dataset = {
  columns: [
    { column_name: 'origin', is_dttm: false },
    { column_name: 'date', is_dttm: true },
  ],
}
const table = { viz_type: 'table', groupby: ['origin', 'date'], metrics: ['count'], time_grain_sqla: 'P1D' }

it('a table over a time uses the grain, regardless of the temporal columns stored in its form', async () => {
  for (const stored of [table, { ...table, temporal_columns_lookup: { origin: true } }]) {
    const opened = await loadStoredForm(stored, dataset)
    expect(namedQueries(opened!.chart, opened!.form).rows?.columns).toEqual([
      'origin',
      expect.objectContaining({ sqlExpression: 'date', columnType: 'BASE_AXIS', timeGrain: 'P1D' }),
    ])
  }
})

it('a form keeps the stored value when its dataset is unknown, and other charts get none', async () => {
  const stored = { ...table, temporal_columns_lookup: { date: true } }
  expect((await loadStoredForm(stored))?.form).toEqual(stored)
  expect((await loadStoredForm({ viz_type: 'pie', groupby: ['date'] }, dataset))?.form).not.toHaveProperty(
    'temporal_columns_lookup',
  )
})

it('a chart converted to a table gets its temporal columns', async () => {
  const [line, other] = await Promise.all([loadChart('echarts_timeseries_line'), loadChart('table')])
  const form = { viz_type: 'echarts_timeseries_line', x_axis: 'date', time_grain_sqla: 'P1D', metrics: ['count'] }
  expect(carryOver(form, line, other!, dataset)).toMatchObject({
    groupby: ['date'],
    temporal_columns_lookup: { date: true },
  })
})
