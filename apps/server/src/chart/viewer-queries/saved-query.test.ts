import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDownloadContext, buildQueryContext, loadStoredForm, withFilters } from '@parquetry/charts'
import { readQueryContext } from '@parquetry/query'
import { describe, expect, it } from 'vitest'
import type { SavedChart } from '../saved-chart-query.ts'
import { isSavedQuery, type ShownChart } from './saved-query.ts'

const charts = fileURLToPath(new URL('../../../../../packages/charts/src/', import.meta.url))
const fixtures = globSync('*/fixtures/*.form.json', { cwd: charts }).toSorted()

const native = (filterType: string, name: string) => ({
  id: `NATIVE_FILTER-${filterType}`,
  filterType,
  targets: [{ datasetId: 1, column: { name } }],
})

/** The chart of a fixture on a dashboard with a filter of each type. */
function showFixture(path: string): ShownChart {
  const params = readFileSync(`${charts}${path}`, 'utf8')
  const { viz_type } = JSON.parse(params) as { viz_type: string }
  const chart = { id: 7, viz_type, params, datasource_id: 1, datasource_type: 'table', columns: [] } as unknown
  const node = { id: 'CHART-7', type: 'CHART', children: [], meta: { chartId: 7 } }
  const types = ['filter_select', 'filter_time', 'filter_timegrain', 'filter_timecolumn', 'filter_groupby']
  const filtered = {
    nodes: { ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['CHART-7'], meta: {} }, 'CHART-7': node },
    metadata: { native_filter_configuration: types.map((type) => native(type, 'region')) },
  }
  return { chart: chart as SavedChart, dashboard: { filtered: filtered as never, charts: new Map() } }
}

const additions = {
  nothing: {},
  'a value': { filters: [{ col: 'region', op: 'IN', val: ['SEA'] }] },
  'a time range': { time_range: 'Last week' },
  'a time grain': { time_grain_sqla: 'P1M' },
  'a time column': { granularity_sqla: 'born', time_range: 'Last week' },
  'a dimension': { interactive_groupby: ['region'] },
  everything: {
    filters: [{ col: 'region', op: 'IN', val: ['SEA'] }],
    time_range: 'Last week',
    time_grain_sqla: 'P1M',
    interactive_groupby: ['region'],
  },
}

describe('the queries of a saved chart', () => {
  it('there are fixtures of all chart types', () => expect(fixtures.length).toBeGreaterThan(60))

  it.each(fixtures.map((path) => [basename(path, '.form.json'), path]))(
    'are recognized with what a dashboard adds, and no others are: %s',
    async (_, path) => {
      const shown = showFixture(path)
      for (const [name, extra] of Object.entries(additions)) {
        const { chart, form } = (await loadStoredForm(
          { ...JSON.parse(shown.chart.params!), slice_id: 7 },
          shown.chart,
        ))!
        const filtered = Object.keys(extra).length > 0 ? withFilters(form, [extra]) : form
        const contexts = [
          buildQueryContext(chart, filtered, { state: { currentPage: 1 } }),
          buildDownloadContext(chart, filtered, 'csv'),
        ]
        for (const context of contexts)
          for (const query of readQueryContext({ ...context, datasource: { id: 1, type: 'table' } }).queries) {
            expect([name, await isSavedQuery(shown, query, filtered)]).toEqual([name, true])
            const metrics = [{ expressionType: 'SQL' as const, sqlExpression: 'max(salary)', label: 'm' }]
            expect([name, await isSavedQuery(shown, { ...query, metrics }, filtered)]).toEqual([name, false])
            const columns = [...(query.columns ?? []), 'salary']
            expect([name, await isSavedQuery(shown, { ...query, columns }, filtered)]).toEqual([name, false])
          }
      }
    },
  )
})
