import { splitFilters } from '@parquetry/charts'
import type { DataMask, NativeFilter } from '@parquetry/model'
import { targetColumnOf, targetDatasetOf, type ColumnValue } from './mask.ts'

/** NATF-023: values of a select filter that are fetched; from so many on, typing searches on the server. */
export const valueLimit = 1000

const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'count', hasCustomLabel: true } as const

/** The filter on each of the datasets that it stands on; the order by a metric is of the first one alone. */
export const splitByDataset = (filter: NativeFilter): NativeFilter[] =>
  (filter.targets ?? []).length < 2
    ? [filter]
    : (filter.targets ?? []).map((target, at) => ({
        ...filter,
        targets: [target],
        ...(at > 0 && { sortMetric: undefined }),
      }))

/** `extraFormData` of the filters that this one depends on. */
const parentsOf = ({ cascadeParentIds = [] }: NativeFilter, mask: DataMask): Record<string, unknown>[] =>
  cascadeParentIds.map((id) => mask[id]?.extraFormData ?? {})

/** A text that differs when the filters above leave other values. */
export const buildParentKey = (filter: NativeFilter, mask: DataMask): string => JSON.stringify(parentsOf(filter, mask))

const listIn = (extra: Record<string, unknown>, key: string): object[] =>
  Array.isArray(extra[key]) ? (extra[key] as object[]) : []

/** What every question for a filter's values shares: where it is asked, the filters above it, its own pre-filter and time. */
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

/**
 * What is typed as a pattern. The signs of patterns, and the one that escapes them in some databases, stand for any sign: no two
 * databases escape alike, and what fits too widely is left out here.
 */
const toLikePattern = (search: string): string => `%${search.replaceAll(/[%_\\]/g, '_')}%`

/** The question for a filter's values: ranked by how often they occur, or as the filter's own order says. */
export function buildValuesQuery(filter: NativeFilter, dashboardId: number, mask: DataMask, search: string): object {
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
  const values = { ...query, columns: [column], metrics: [metric], filters, orderby, row_limit: valueLimit }
  return { ...place, queries: [{ ...values, apply_fetch_values_predicate: true }] }
}

/** The question which of these values are left under the filters above. */
export function buildPresenceQuery(
  filter: NativeFilter,
  dashboardId: number,
  mask: DataMask,
  values: readonly ColumnValue[],
): object {
  const column = targetColumnOf(filter) ?? ''
  const { place, query } = buildBaseQuery(filter, dashboardId, mask)
  const filters = [...query.filters, { col: column, op: 'IN', val: values }]
  return { ...place, queries: [{ ...query, columns: [column], metrics: [], filters, row_limit: values.length }] }
}

/** Values of which each is fetched for a histogram; those of a column with more of them are counted by the database, part by part. */
export const histogramLimit = 5000

/** The question for the least and the greatest value of a column, and how often each value occurs. */
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

/** The question how many rows lie in each of as many equal parts between two numbers, the last part with its end: metrics `0`, `1`, ... */
export function buildHistogramQuery(
  filter: NativeFilter,
  dashboardId: number,
  mask: DataMask,
  { least, greatest, parts }: { least: number; greatest: number; parts: number },
): object {
  const column_name = targetColumnOf(filter) ?? ''
  const { place, query } = buildBaseQuery(filter, dashboardId, mask)
  const edge = (at: number): number => least + ((greatest - least) / parts) * at
  const metrics = Array.from({ length: parts }, (_, at) => ({
    expressionType: 'SIMPLE',
    column: { column_name },
    aggregate: 'COUNT',
    between: [at === 0 ? null : edge(at), at === parts - 1 ? null : edge(at + 1)],
    label: String(at),
    hasCustomLabel: true,
  }))
  return { ...place, queries: [{ ...query, columns: [], metrics, row_limit: 1 }] }
}

/** The question for the columns of a filter's dataset, or the grains of its database. */
export const buildNamesQuery = (
  filter: NativeFilter,
  dashboardId: number,
  result_type: 'columns' | 'timegrains',
): object => ({
  ...buildBaseQuery(filter, dashboardId, {}).place,
  result_type,
  queries: [{ columns: [], metrics: [] }],
})
