import { addExtras, namedQueries, loadStoredForm, withFilters } from '@parquetry/charts'
import { parseExactJson, AppError, message, type QueryContext, type QueryObject } from '@parquetry/model'
import { readSavedContext } from '@parquetry/query'
import type { Kysely, Selectable } from 'kysely'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import type { ChartTable, Tables } from '../store/tables.ts'
import { buildFormData } from './form-data.ts'

export type TemporalColumn = { column_name: string; is_dttm: true }
/** A chart with the temporal columns of its dataset. */
export type SavedChart = Selectable<ChartTable> & { columns: TemporalColumn[] }

/** Dataset and dashboard of a chart, which decide who may read its data. */
export const buildChartContext = (chart: Selectable<ChartTable>, dashboardId: number | null): QueryContext => ({
  datasource: { id: chart.datasource_id, type: chart.datasource_type },
  queries: [],
  form_data: { slice_id: chart.id, ...(dashboardId !== null && { dashboardId }) },
})

export interface ChartOverrides {
  /** Unsaved form data, overriding the saved one. */
  form_data?: Record<string, unknown>
  /** The chart's own part of the data mask. */
  state?: Record<string, unknown>
}

/** Many charts of a dashboard and layers of a chart are opened together. */
const openYielder = new EventLoopYielder()

/**
 * Builds the queries of a saved chart from its own definition, with their names. For the types of plugins and
 * unsupported ones it returns the saved queries, filtered.
 * @param extras  added to its form, like a dashboard's filters
 * @throws AppError `invalid_query` for an unsupported type without saved queries
 */
export async function buildSavedChartQuery(
  chart: SavedChart,
  { form_data = {}, state = {} }: ChartOverrides,
  extras: readonly Record<string, unknown>[],
  dashboardId: number | null,
): Promise<{ context: QueryContext; names: string[] }> {
  const baseContext = buildChartContext(chart, dashboardId)
  await openYielder.yieldIfDue()
  const storedForm = await loadStoredForm({ ...buildFormData(chart), ...form_data }, chart)
  if (storedForm) {
    const queries = namedQueries(storedForm.chart, withFilters(storedForm.form, extras), state)
    return { context: { ...baseContext, queries: Object.values(queries) }, names: Object.keys(queries) }
  }
  if (!chart.query_context)
    throw new AppError('invalid_query', {
      message: message('errors.chart.typeNotSupported', 'This visualization type is not supported.'),
    })
  const saved = readSavedContext(parseExactJson(chart.query_context))
  return {
    context: { ...baseContext, queries: (saved.queries as QueryObject[]).map((query) => addExtras(query, extras)) },
    names: saved.queries.map((_, index) => String(index)),
  }
}

/** Adds the temporal columns of their datasets to charts. */
export async function withTemporalColumns(
  db: Kysely<Tables>,
  charts: readonly Selectable<ChartTable>[],
): Promise<SavedChart[]> {
  if (charts.length === 0) return []
  const rows = await db
    .selectFrom('dataset_column')
    .select(['dataset_id', 'column_name'])
    .where('is_dttm', '=', 1)
    .where('dataset_id', 'in', [...new Set(charts.map(({ datasource_id }) => datasource_id))])
    .orderBy('id')
    .execute()
  const columns = Map.groupBy(rows, ({ dataset_id }) => dataset_id)
  return charts.map((chart) => ({
    ...chart,
    columns: (columns.get(chart.datasource_id) ?? []).map(({ column_name }) => ({ column_name, is_dttm: true })),
  }))
}
