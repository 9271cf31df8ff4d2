import { asRecord, readForm, splitFilters, type ChartForm } from '@parquetry/charts'
import type { FormFilter } from '@parquetry/charts/legacy'
import { hash } from 'node:crypto'

/** An entry of `extra_filters`, by which older dashboards applied their filters to a form. */
interface ExtraFilter {
  col?: unknown
  op?: unknown
  val?: unknown
}

type AdhocFilter = Record<string, unknown>

const timeFields = new Map([
  ['__time_range', 'time_range'],
  ['__time_col', 'granularity_sqla'],
  ['__time_grain', 'time_grain_sqla'],
])

/**
 * Normalizes a form for the legacy route: merges `extra_filters` and the filters of older fields into its own, and replaces its
 * time settings with those of the dashboard, which are listed in `applied_time_extras`.
 */
export function toLegacyForm(input: ChartForm, added: readonly FormFilter[] = []): ChartForm {
  const { extra_filters, where, having, filters, having_filters: _, ...form } = readForm(input)
  const ownFilters = isList(form['adhoc_filters'])
  const extras = isList<ExtraFilter | null>(extra_filters).filter(
    (extra) => extra !== null && typeof extra === 'object',
  )
  const timeExtras = extras.flatMap(({ col, val }) =>
    timeFields.has(String(col)) && val ? [[String(col), val] as const] : [],
  )
  const otherFilters = extras.filter(({ col, val }) => !timeFields.has(String(col)) && !isEmptyValue(val))
  const existingKeys = new Set(
    (ownFilters as (AdhocFilter | null)[]).map((filter) =>
      canonicalizeFilter({ col: filter?.['subject'], op: filter?.['operator'], val: filter?.['comparator'] }),
    ),
  )
  const newExtras = otherFilters.filter((extra) => !existingKeys.has(canonicalizeFilter(extra)))
  const legacyFilters = ownFilters.length > 0 ? [] : readLegacyFilterFields({ where, having, filters })
  return {
    ...form,
    ...Object.fromEntries(timeExtras.map(([name, value]) => [timeFields.get(name), value])),
    applied_time_extras: { ...asRecord(form['applied_time_extras']), ...Object.fromEntries(timeExtras) },
    adhoc_filters: [
      ...ownFilters,
      ...legacyFilters,
      ...newExtras.map((extra) => toSimpleFilter(extra, { isExtra: true })),
      ...added.map((filter) => withFilterName({ ...filter })),
    ],
  }
}

/** Form as returned in a response, with its filters in the older fields as well. */
export function toResponseForm(form: ChartForm): ChartForm {
  const { filters, where, having } = splitFilters(form['adhoc_filters'])
  return {
    ...form,
    where: where.join(' AND '),
    having: having.join(' AND '),
    having_filters: [],
    filters: filters.map(({ col, op, val }) => ({ col, op, val: val ?? '' })),
  }
}

const isList = <T = unknown>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : [])

/** Empty values do not filter. */
const isEmptyValue = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

/** Key of a filter, equal for equivalent filters: the order of values in lists does not matter. */
function canonicalizeFilter({ col, op, val }: ExtraFilter): string {
  const values = Array.isArray(val) ? val.map((each) => JSON.stringify(each)).toSorted() : (val ?? null)
  return JSON.stringify([col ?? null, String(op).toLowerCase(), values])
}

const readLegacyFilterFields = ({
  where,
  having,
  filters,
}: {
  where: unknown
  having: unknown
  filters: unknown
}): AdhocFilter[] => [
  ...[
    ['HAVING', having],
    ['WHERE', where],
  ].flatMap(([clause, sqlExpression]) =>
    typeof sqlExpression === 'string' && sqlExpression.trim() !== ''
      ? [withFilterName({ clause, expressionType: 'SQL', sqlExpression })]
      : [],
  ),
  ...isList<ExtraFilter | null>(filters).flatMap((filter) =>
    filter && typeof filter === 'object' ? [toSimpleFilter(filter)] : [],
  ),
]

const toSimpleFilter = ({ col, op, val }: ExtraFilter, more: AdhocFilter = {}): AdhocFilter =>
  withFilterName({ clause: 'WHERE', expressionType: 'SIMPLE', comparator: val, operator: op, subject: col, ...more })

/** Adds a name derived from the filter, so that equal filters have equal names. */
const withFilterName = (filter: AdhocFilter): AdhocFilter => ({
  ...filter,
  filterOptionName: hash('md5', sortedJson(filter)),
})

/** Serializes JSON for hashing like the API's own clients: sorted keys, a blank after separators, ASCII only. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.keys(value)
      .toSorted()
      .map((key) => `${sortedJson(key)}: ${sortedJson((value as AdhocFilter)[key])}`)
      .join(', ')}}`
  const text = JSON.stringify(value ?? null)
  return text.replaceAll(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
