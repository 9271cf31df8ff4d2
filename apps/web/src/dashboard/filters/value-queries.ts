import { splitFilters } from '@parquetry/charts'
import { exactFields, toLikePattern, type DataMask, type NativeFilter } from '@parquetry/model'
import { targetColumnOf, targetDatasetOf, type ColumnValue } from './mask.ts'

/** NATF-023: maximum number of fetched values of a select filter; when it is reached, typing searches on the server. */
export const valueLimit = 1000
/** Maximum number of values that can be selected at once. */
export const allValuesLimit = 10_000

const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'count', hasCustomLabel: true } as const

/** The filter for each of its target datasets; sorting by a metric applies only to the first. */
export const splitByDataset = (filter: NativeFilter): NativeFilter[] =>
  (filter.targets ?? []).length < 2
    ? [filter]
    : (filter.targets ?? []).map((target, index) => ({
        ...filter,
        targets: [target],
        ...(index > 0 && { sortMetric: undefined }),
      }))

/** `extraFormData` of the filters that this one depends on. */
const parentsOf = ({ cascadeParentIds = [] }: NativeFilter, mask: DataMask): Record<string, unknown>[] =>
  cascadeParentIds.map((id) => mask[id]?.extraFormData ?? {})

/** Text that changes when the parent filters change. */
export const buildParentKey = (filter: NativeFilter, mask: DataMask): string => JSON.stringify(parentsOf(filter, mask))

const listIn = (extra: Record<string, unknown>, key: string): object[] =>
  Array.isArray(extra[key]) ? (extra[key] as object[]) : []

/** Common parts of all queries for a filter's values: dataset, parent filters, pre-filter and time range. */
function buildBaseQuery(filter: NativeFilter, dashboardId: number, mask: DataMask) {
  const above = parentsOf(filter, mask)
  const own = { adhoc_filters: filter.adhoc_filters ?? [] }
  const time_range =
    above.map((extra) => extra.time_range).find((range) => typeof range === 'string') ?? filter.time_range
  const granularity =
    above.map((extra) => extra.granularity_sqla).find((column) => typeof column === 'string') ?? filter.granularity_sqla
  const conditions = splitFilters([own, ...above].flatMap((extra) => listIn(extra, 'adhoc_filters')))
  return {
    place: {
      datasource: { id: targetDatasetOf(filter) ?? 0, type: 'table' },
      force: false,
      form_data: {
        viz_type: filter.filterType,
        type: 'NATIVE_FILTER',
        native_filter_id: filter.id,
        dashboardId,
        datasource: `${targetDatasetOf(filter) ?? 0}__table`,
        ...(targetColumnOf(filter) !== undefined && { groupby: [targetColumnOf(filter)] }),
      },
      result_format: 'json',
      result_type: 'full',
    },
    query: {
      filters: [...above.flatMap((extra) => listIn(extra, 'filters')), ...conditions.filters],
      extras: conditions.where.length > 0 ? { where: conditions.where.join(' AND ') } : {},
      ...(typeof time_range === 'string' && { time_range }),
      ...(typeof granularity === 'string' && { granularity }),
    },
  }
}

/** Query for a filter's values, ranked by frequency or as the filter specifies. */
export function buildValuesQuery(
  filter: NativeFilter,
  dashboardId: number,
  mask: DataMask,
  search: string,
  limit = valueLimit,
): object {
  const column = targetColumnOf(filter) ?? ''
  const sortMetric = typeof filter.sortMetric === 'string' && filter.sortMetric ? filter.sortMetric : undefined
  const ascending = filter.controlValues?.sortAscending
  const metric = sortMetric ?? count
  const { place, query } = buildBaseQuery(filter, dashboardId, mask)
  const orderby =
    sortMetric === undefined && typeof ascending === 'boolean'
      ? [[column, ascending]]
      : [
          [metric, ascending === true],
          [column, true],
        ]
  const filters = [...query.filters, ...(search ? [{ col: column, op: 'ILIKE', val: toLikePattern(search) }] : [])]
  const values = { ...query, columns: [column], metrics: [metric], filters, orderby, row_limit: limit }
  return { ...place, queries: [{ ...values, apply_fetch_values_predicate: true }] }
}

/** Query for which of these values remain under the parent filters. */
export function buildPresenceQuery(
  filter: NativeFilter,
  dashboardId: number,
  mask: DataMask,
  values: readonly ColumnValue[],
): object {
  const column = targetColumnOf(filter) ?? ''
  const { place, query } = buildBaseQuery(filter, dashboardId, mask)
  const filters = [...query.filters, { col: column, op: 'IN', val: values, ...exactFields(values) }]
  return { ...place, queries: [{ ...query, columns: [column], metrics: [], filters, row_limit: values.length }] }
}

/** Maximum number of distinct values fetched for a histogram; of columns with more, the database counts rows per interval. */
export const histogramLimit = 5000

/** Query for the minimum and maximum of a column, and the frequency of each value. */
export function buildRangeQuery(filter: NativeFilter, dashboardId: number, mask: DataMask): object {
  const column = targetColumnOf(filter) ?? ''
  const { place, query } = buildBaseQuery(filter, dashboardId, mask)
  const metric = (aggregate: 'MIN' | 'MAX', label: string) => ({
    expressionType: 'SIMPLE',
    column: { column_name: column },
    aggregate,
    label,
    hasCustomLabel: true,
  })
  const ends = { ...query, columns: [], metrics: [metric('MIN', 'min'), metric('MAX', 'max')], row_limit: 1 }
  const each = { ...query, columns: [column], metrics: [count], row_limit: histogramLimit }
  return { ...place, queries: [ends, each] }
}

/**
 * Query for the number of rows in each of `parts` equal intervals between two numbers, the last one including its end: metrics
 * `0`, `1`, ...
 */
export function buildHistogramQuery(
  filter: NativeFilter,
  dashboardId: number,
  mask: DataMask,
  { least, greatest, parts }: { least: number; greatest: number; parts: number },
): object {
  const column_name = targetColumnOf(filter) ?? ''
  const { place, query } = buildBaseQuery(filter, dashboardId, mask)
  const edge = (index: number): number => least + ((greatest - least) / parts) * index
  const metrics = Array.from({ length: parts }, (_, index) => ({
    expressionType: 'SIMPLE',
    column: { column_name },
    aggregate: 'COUNT',
    between: [index === 0 ? null : edge(index), index === parts - 1 ? null : edge(index + 1)],
    label: String(index),
    hasCustomLabel: true,
  }))
  return { ...place, queries: [{ ...query, columns: [], metrics, row_limit: 1 }] }
}

/** Query for the columns of a filter's dataset, or the time grains of its database. */
export const buildNamesQuery = (
  filter: NativeFilter,
  dashboardId: number,
  result_type: 'columns' | 'timegrains',
): object => ({
  ...buildBaseQuery(filter, dashboardId, {}).place,
  result_type,
  queries: [{ columns: [], metrics: [] }],
})
