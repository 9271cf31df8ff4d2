import { labelOfColumn, type QueryColumn, type QueryContext, type QueryObject } from '@parquetry/model'
import type { AnyChart, ChartForm } from '../define.ts'
import { readForm, applyDefaults } from '../read-form.ts'
import { baseQuery } from './base-query.ts'
import { applyDashboardOverrides } from './extra-form-data.ts'
import { withoutForeignSettings } from './foreign-settings.ts'

export interface QueryContextOptions {
  /** The chart's part of the data mask (`ownState`): page, sort, search. */
  state?: Record<string, unknown>
  force?: boolean
  result_type?: string
  result_format?: string
}

/**
 * Returns the form that `queries` and `spec` receive: parsed, with the dashboard's filters, a valid value for every setting, and
 * without the settings that another chart type left.
 */
export const resolveForm = (chart: AnyChart, form: ChartForm): ChartForm =>
  withoutForeignSettings(chart, applyDefaults(chart.form, applyDashboardOverrides(readForm(form))))

/**
 * Returns the queries of a chart by the names under which its `spec` reads responses; their `Object.values` are `queries[]`.
 * @param form as stored or edited, with dashboard filters already applied (`withFilters`)
 */
export function namedQueries(
  chart: AnyChart,
  form: ChartForm,
  state: Record<string, unknown> = {},
): Record<string, QueryObject> {
  const settled = resolveForm(chart, form)
  const shared = baseQuery(settled)
  const named = Object.entries(chart.queries(settled, state)).map(([name, query]) => {
    const own = chart.baseForms?.[name]
    const base = own ? baseQuery({ ...own(settled), annotation_layers: [] }) : shared
    const whole = { ...base, ...query, extras: { ...base.extras, ...query.extras } }
    return [name, withBaseAxis(whole, settled.x_axis as QueryColumn)]
  })
  return Object.fromEntries(named) as Record<string, QueryObject>
}

/**
 * Builds the body of `POST /api/v1/chart/data` for a chart: the same in the browser, in reports, in exports and for the server's
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

/** `12__table` -> `{ id: 12, type: 'table' }`; a non-numeric id is a UUID. */
export function parseDatasource(form: ChartForm): QueryContext['datasource'] {
  const [id = '', type = 'table'] = typeof form.datasource === 'string' ? form.datasource.split('__') : []
  return { id: /^\d+$/.test(id) ? Number(id) : id, type }
}

/** Time offsets are joined on the x-axis, which gets the time grain; a query with it is not a legacy time series. */
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

/** Returns a column as the x-axis, wrapped with the grain if it is temporal (the server decides that). */
export function baseAxis(column: QueryColumn, grain: string | null | undefined): QueryColumn {
  const own = typeof column === 'string' ? { sqlExpression: column, label: column, isColumnReference: true } : column
  return { ...own, expressionType: 'SQL', columnType: 'BASE_AXIS', ...(grain && { timeGrain: grain }) }
}
