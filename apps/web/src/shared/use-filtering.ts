import { buildQueryContext, loadChart, namedQueries, type ChartForm, type DatasetFacts } from '@parquetry/charts'
import type { FilterHost } from '@parquetry/charts/views'
import { buildColumn, type Frame } from '@parquetry/frame'
import type { QueryFilter } from '@parquetry/model'
import { api } from './api.ts'
import { LazyTimeRangePicker } from './time-range/LazyTimeRangePicker.tsx'

interface Options extends Pick<FilterHost, 'filterState' | 'onMask'> {
  /** The queried form. */
  form: ChartForm
  dataset: (Partial<DatasetFacts> & { verbose_map?: Record<string, string | null> }) | undefined
}

/** Inputs for a filter box; undefined for all other charts. */
export function useFiltering({ form, dataset = {}, filterState, onMask }: Options): FilterHost | undefined {
  if (form['viz_type'] !== 'filter_box') return undefined
  const { columns = [], time_grain_sqla = [], verbose_map = {} } = dataset
  return {
    TimeRange: LazyTimeRangePicker,
    grains: time_grain_sqla.flatMap(([grain, label]) => (grain ? [[grain, label] as const] : [])),
    timeColumns: columns
      .filter(({ is_dttm }) => is_dttm)
      .map(({ column_name }) => [column_name, verbose_map[column_name] || column_name] as const),
    runQuery: (query, filters) => queryWithFilters(form, query, filters),
    filterState,
    onMask,
  }
}

/** NATF-047: runs one query of a chart with additional filters, such as the typed text. */
async function queryWithFilters(form: ChartForm, query: string, filters: readonly QueryFilter[]): Promise<Frame> {
  const chart = await loadChart(String(form['viz_type']))
  const chartQuery = chart && namedQueries(chart, form)[query]
  if (!chartQuery) return { rows: 0, columns: [] }
  const body = {
    ...buildQueryContext(chart, form),
    queries: [{ ...chartQuery, filters: [...(chartQuery.filters ?? []), ...filters] }],
  }
  const { result } = await api.post('/api/v1/chart/data', { body })
  const { data = [], colnames = [] } = result[0] ?? {}
  const rows = data as Record<string, unknown>[]
  return {
    rows: rows.length,
    columns: colnames.map((name) =>
      buildColumn(
        rows.map((row) => row[name] ?? null),
        name,
      ),
    ),
  }
}
