import {
  labelOfColumn,
  labelOfMetric,
  type QueryColumn,
  type QueryFilter,
  type QueryMetric,
  type QueryObject,
} from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { joinConditions, splitFilters } from './adhoc-filters.ts'
import { listRequestedLayers } from './requested-layers.ts'
import { readExtras, asRecord, applyDashboardOverrides } from './extra-form-data.ts'

type Extra = Record<string, unknown>

/**
 * Builds the part that all queries of a form share: its fields by their various names, filters, time range and grain, limits,
 * order; dashboard filters (`extra_form_data`) are applied. The x-axis is still a plain column: `namedQueries` adds the grain.
 */
export function baseQuery(chartForm: ChartForm): QueryObject {
  const form = applyDashboardOverrides(chartForm)
  const { extra, applied } = readExtras(form)
  const given = splitFilters(form.adhoc_filters)
  const added = splitFilters(extra.adhoc_filters)
  const filters = [...given.filters, ...[...((extra.filters as QueryFilter[]) ?? []), ...added.filters].map(asExtra)]
  const where = joinConditions([...toLegacyConditions(form.where), ...given.where, ...added.where])
  const having = joinConditions([...toLegacyConditions(form.having), ...given.having, ...added.having])
  const grain = text(form.time_grain_sqla)
  return {
    ...readFields(form),
    filters,
    extras: {
      ...(grain && { time_grain_sqla: grain }),
      ...(where && { where }),
      ...(having && { having }),
      ...pick(extra, ['relative_start', 'relative_end']),
    },
    applied_time_extras: { ...asRecord(form.applied_time_extras), ...applied },
    ...withoutEmpty({
      time_range: text(form.time_range),
      granularity: text(form.granularity_sqla),
      row_limit: count(form.row_limit),
      row_offset: count(form.row_offset),
      series_limit_metric: (form.series_limit_metric ?? form.timeseries_limit_metric) as QueryMetric | undefined,
      url_params: form.url_params as Extra | undefined,
      time_shift: text(form.time_shift),
    }),
    series_limit: count(form.series_limit) ?? count(form.limit) ?? 0,
    ...(form.group_others_when_limit_reached === true && { group_others_when_limit_reached: true }),
    order_desc: form.order_desc !== false,
    annotation_layers: listRequestedLayers(form),
    ...pick(extra, [
      'time_column',
      'time_grain',
      'custom_form_data',
      'interactive_groupby',
      'interactive_highlight',
      'interactive_drilldown',
    ]),
  }
}

const asExtra = (filter: QueryFilter): QueryFilter => ({ ...filter, isExtra: true })

/** Collects columns, metrics and order from all names that forms use for them. */
function readFields(form: ChartForm): Pick<QueryObject, 'columns' | 'metrics' | 'orderby'> {
  const isRaw = form.query_mode === 'raw'
  const isAggregate = form.query_mode === 'aggregate'
  const from = (...names: string[]) => names.flatMap((name) => form[name] ?? []).filter((value) => value !== null)
  const columns = [
    ...(isAggregate ? [] : from('columns', 'all_columns')),
    ...(isRaw ? [] : from('groupby', 'series')),
  ] as QueryColumn[]
  const metrics = from('metrics', 'metric', 'metric_2', 'secondary_metric', 'x', 'y', 'size') as QueryMetric[]
  const orderby = readOrder(isRaw ? (form.order_by_cols ?? form.orderby) : (form.orderby ?? form.order_by_cols))
  return {
    columns: unique(columns, labelOfColumn),
    ...(!isRaw && { metrics: unique(metrics, labelOfMetric) }),
    ...(orderby.length > 0 && { orderby }),
  }
}

/** One more than the maximum of a query: longer lists are rejected anyway. */
const maxOrderEntries = 1001

/** Reads entries `[column or metric, ascending]`, also as JSON text; invalid entries are skipped (CTRL-032 marks them). */
export function readOrder(entries: unknown): [QueryColumn | QueryMetric, boolean][] {
  return (Array.isArray(entries) ? entries : []).slice(0, maxOrderEntries).flatMap((entry: unknown) => {
    const pair = typeof entry === 'string' ? parsePair(entry) : entry
    const fits = Array.isArray(pair) && pair.length === 2 && typeof pair[1] === 'boolean' && pair[0]
    return fits ? [pair as [QueryColumn | QueryMetric, boolean]] : []
  })
}

function parsePair(entry: string): unknown {
  try {
    return JSON.parse(entry)
  } catch {
    return null
  }
}

export function unique<T>(items: T[], labelOf: (item: T) => string): T[] {
  const seen = new Map<string, T>()
  for (const item of items) if (!seen.has(labelOf(item))) seen.set(labelOf(item), item)
  return [...seen.values()]
}

const toLegacyConditions = (sql: unknown) => (typeof sql === 'string' && sql.trim() ? [`(${sql})`] : [])
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const count = (value: unknown) => {
  const number = typeof value === 'string' && value.trim() ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined
}
const withoutEmpty = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as Partial<T>
const pick = (from: Extra, names: string[]) =>
  Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]))
