import { QueryObject, type QueryFilter } from '@parquetry/model'

/** Formats a part of a query. Parts with the same meaning have the same text: the order of fields and unset fields do not count. */
export const formatPart = (part: unknown): string =>
  JSON.stringify(part, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const fields = Object.entries(value).filter(([, field]) => field !== undefined && field !== null)
    return Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }) ?? 'null'

/** Removes the mark of filters that a dashboard added, which changes nothing but how they are reported. */
export const withoutMark = (filter: QueryFilter): QueryFilter =>
  Object.fromEntries(Object.entries(filter).filter(([field]) => field !== 'isExtra')) as QueryFilter

const formatFilter = (filter: QueryFilter): string => formatPart(withoutMark(filter))

/** Returns the filters that the others lack; null if they lack one of `base`. */
export function subtractFilters(filters: readonly QueryFilter[], base: readonly QueryFilter[]): QueryFilter[] | null {
  const remaining = [...filters]
  for (const text of base.map(formatFilter)) {
    const index = remaining.findIndex((filter) => formatFilter(filter) === text)
    if (index < 0) return null
    remaining.splice(index, 1)
  }
  return remaining
}

/** Fields of a query that a plan reads. */
export const queryFields = Object.keys(QueryObject.properties) as (keyof QueryObject)[]

/** Fields that must be equal. Filters, order and limits have checks of their own; a new field is compared. */
const comparedFields = queryFields.filter(
  (field) => !['filters', 'row_limit', 'row_offset', 'orderby', 'result_type'].includes(field),
)
/**
 * Tests whether a plan reads a value like no value. An empty text is a value. Series are in descending order unless a query says
 * otherwise, and a query is a time series if it has the column of one, unless it says otherwise.
 */
const isUnset = (field: string, value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === 0 ||
  (value === (field === 'order_desc') && field !== 'is_timeseries') ||
  // An empty list of metrics groups the rows, and a missing one does not.
  (typeof value === 'object' && Object.keys(value).length === 0 && field !== 'metrics')

const formatField = (query: QueryObject, field: keyof QueryObject): string => {
  const value: unknown = query[field]
  return isUnset(field, value) ? '' : formatPart(value)
}

/**
 * Tests whether a query reads the rows of the expected one, or fewer of them.
 * @param isPaged  whether users may turn pages and sort them
 */
export function isSameQuery(query: QueryObject, expected: QueryObject, { isPaged }: { isPaged: boolean }): boolean {
  const filters = subtractFilters(query.filters ?? [], expected.filters ?? [])
  return (
    filters?.length === 0 &&
    comparedFields.every((field) => formatField(query, field) === formatField(expected, field)) &&
    (formatField(query, 'orderby') === formatField(expected, 'orderby') || (isPaged && isSorted(query))) &&
    (isPaged || isWithinLimit(query, expected))
  )
}

/**
 * A limit of 0, or none, means the limit of the server, which may be higher or lower than the saved one. An offset of 0 is a page,
 * whose rows have an order of their own.
 */
function isWithinLimit({ row_limit, row_offset }: QueryObject, expected: QueryObject): boolean {
  const isWithin = expected.row_limit ? (row_limit || Infinity) <= expected.row_limit : !row_limit
  return isWithin && (row_offset ?? null) === (expected.row_offset ?? null)
}

/** Tests whether a query is sorted only by its own columns and metrics. A label could name another column of the dataset. */
export function isSorted({ columns, metrics, orderby }: QueryObject): boolean {
  const own = new Set([...(columns ?? []), ...(metrics ?? [])].map(formatPart))
  return (orderby ?? []).every((entry) => Array.isArray(entry) && own.has(formatPart(entry[0])))
}
