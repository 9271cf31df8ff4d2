import { labelOfColumn, type QueryColumn, type QueryContext, type QueryObject } from '@parquetry/model'
import type { AnyChart, ChartForm } from '../define.ts'
import { readForm, applyDefaults } from '../read-form.ts'
import { baseQuery } from './base-query.ts'
import { applyDashboardOverrides } from './extra-form-data.ts'

export interface QueryContextOptions {
  /** The chart's own part of the data mask (`ownState`): page, sort, search. */
  state?: Record<string, unknown>
  force?: boolean
  result_type?: string
  result_format?: string
}

/** The form as `queries` and `spec` see it: read, under the dashboard's filters, every setting with a value that fits. */
export const resolveForm = (chart: AnyChart, form: ChartForm): ChartForm =>
  applyDefaults(chart.form, applyDashboardOverrides(readForm(form)))

/**
 * The queries of a chart by the names that its `spec` reads answers under; `Object.values` of it are `queries[]`.
 * @param form as stored or edited, with dashboard filters already laid over it (`withFilters`)
 */
export function namedQueries(
  chart: AnyChart,
  form: ChartForm,
  state: Record<string, unknown> = {},
): Record<string, QueryObject> {
  const settled = resolveForm(chart, form)
  // Layers that another type has left in the form would be read for nothing.
  const takesLayers = 'annotation_layers' in chart.form.properties
  const shared = baseQuery(takesLayers ? settled : { ...settled, annotation_layers: [] })
  const named = Object.entries(chart.queries(settled, state)).map(([name, query]) => {
    const own = chart.baseForms?.[name]
    const base = own ? baseQuery({ ...own(settled), annotation_layers: [] }) : shared
    const whole = { ...base, ...query, extras: { ...base.extras, ...query.extras } }
    return [name, withBaseAxis(whole, settled.x_axis as QueryColumn)]
  })
  return Object.fromEntries(named) as Record<string, QueryObject>
}

/**
 * The body of `POST /api/v1/chart/data` for a chart: the same in the browser, in reports, in exports and for the server's
 * dashboard stream.
 */
export function buildQueryContext(chart: AnyChart, form: ChartForm, options: QueryContextOptions = {}): QueryContext {
  const { state = {}, force = false, result_type = 'full', result_format = 'json' } = options
  return {
    datasource: parseDatasource(form),
    force,
    queries: Object.values(namedQueries(chart, form, state)),
    form_data: form,
    result_format,
    result_type,
  }
}

/** `12__table` -> `{ id: 12, type: 'table' }`; an id that is no number is a uuid. */
export function parseDatasource(form: ChartForm): QueryContext['datasource'] {
  const [id = '', type = 'table'] = typeof form.datasource === 'string' ? form.datasource.split('__') : []
  return { id: /^\d+$/.test(id) ? Number(id) : id, type }
}

/** The x axis takes the time grain and is what time offsets are joined on; with it a query is no old time series. */
function withBaseAxis(query: QueryObject, axis: QueryColumn | null | undefined): QueryObject {
  if (!axis) return query
  const label = labelOfColumn(axis)
  if (!query.columns?.some((column) => labelOfColumn(column) === label)) return query
  const { is_timeseries: _, ...rest } = query
  const columns = query.columns.map((column) =>
    labelOfColumn(column) === label ? baseAxis(column, query.extras?.time_grain_sqla) : column,
  )
  return { ...rest, columns }
}

/** A column as the x axis, wrapped with the grain where it is temporal (the server decides that). */
export function baseAxis(column: QueryColumn, grain: string | null | undefined): QueryColumn {
  const own = typeof column === 'string' ? { sqlExpression: column, label: column, isColumnReference: true } : column
  return { ...own, expressionType: 'SQL', columnType: 'BASE_AXIS', ...(grain && { timeGrain: grain }) }
}
