import { formatValue, nullText } from '@parquetry/charts'
import { exactFields, nullToken, type DataMask, type DataMaskEntry, type NativeFilter } from '@parquetry/model'

/** Value of a column in a filter. */
export type ColumnValue = string | number | boolean | null

export const isDivider = (filter: NativeFilter): boolean => filter.type === 'DIVIDER'

export const targetColumnOf = (filter: NativeFilter): string | undefined => filter.targets?.[0]?.column?.name

export const targetDatasetOf = (filter: NativeFilter): number | undefined => filter.targets?.[0]?.datasetId

const setting = (filter: NativeFilter, name: string): unknown => filter.controlValues?.[name]

export const isRequired = (filter: NativeFilter): boolean => setting(filter, 'enableEmptyFilter') === true

export const isMultiple = (filter: NativeFilter): boolean => setting(filter, 'multiSelect') !== false

export const isInverse = (filter: NativeFilter): boolean => setting(filter, 'inverseSelection') === true

export const valueOf = (entry: DataMaskEntry | undefined): unknown => entry?.filterState?.value ?? null

export const hasValue = (entry: DataMaskEntry | undefined): boolean => {
  const value = valueOf(entry)
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== ''
}

/** Converts a value to a list; null, undefined and '' become an empty one. */
export const toList = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined || value === '' ? [] : [value]

/** Chosen values of a select filter. The API's sign for null is null, unless the entry's texts are exact. */
export function chosenValuesOf(entry: DataMaskEntry | undefined): ColumnValue[] {
  const filters = entry?.extraFormData?.['filters']
  const isExact = Array.isArray(filters) && filters.some((filter: { isExact?: unknown }) => filter.isExact === true)
  return (toList(valueOf(entry)) as ColumnValue[]).map((value) => (value === nullToken && !isExact ? null : value))
}

/** Display text of a filter value. */
export const formatFilterValue = (value: ColumnValue): string => formatValue(value)

/** Lowercase text of a value to search in; users type `null`, not its symbol. */
export const toSearchText = (value: ColumnValue): string =>
  value === null ? 'null' : String(value).toLocaleLowerCase()

/** Display text of a mask entry. */
export function formatEntry(entry: DataMaskEntry | undefined): string {
  const label = entry?.filterState?.label
  if (typeof label === 'string') return label.replaceAll(/(?<!")<NULL>(?!")/g, nullText)
  return chosenValuesOf(entry).map(formatFilterValue).join(', ')
}

/**
 * Entry of a select filter: rows whose column is one of the values, or none of them if inverse. An empty list does not filter.
 * @param missing  values that the parent filters exclude; they stay chosen but are left out of the query
 */
export function buildSelectEntry(
  filter: NativeFilter,
  values: readonly ColumnValue[],
  missing: readonly ColumnValue[] = [],
): DataMaskEntry {
  const column = targetColumnOf(filter)
  if (values.length === 0 || column === undefined) return emptyEntry(filter)
  const presentValues = values.filter((value) => !missing.includes(value))
  const filters = [
    { col: column, op: isInverse(filter) ? 'NOT IN' : 'IN', val: presentValues, ...exactFields(presentValues) },
  ]
  return {
    id: filter.id,
    extraFormData: presentValues.length > 0 ? { filters } : {},
    filterState: {
      ...(presentValues.length < values.length && { missing: values.filter((value) => missing.includes(value)) }),
      value: [...values],
      label: values.map((value) => (value === null ? nullToken : formatValue(value))).join(', '),
      ...(isInverse(filter) && { excludeFilterValues: true }),
    },
    ownState: {},
  }
}

export const noFilter = 'No filter'

/** Entry of a time filter; `range` is in the syntax of the API (`Last week`, `2026-01-01 : 2026-02-01`). */
export function buildTimeEntry(filter: NativeFilter, range: string | null): DataMaskEntry {
  if (!range || range === noFilter) return emptyEntry(filter)
  return { id: filter.id, extraFormData: { time_range: range }, filterState: { value: range }, ownState: {} }
}

export const emptyEntry = ({ id }: NativeFilter): DataMaskEntry => ({
  id,
  extraFormData: {},
  filterState: { value: null },
  ownState: {},
})

/** Initial mask of the filters: their defaults. */
export const defaultMask = (filters: readonly NativeFilter[]): DataMask =>
  Object.fromEntries(
    filters
      .filter((filter) => !isDivider(filter))
      .map((filter) => {
        const { extraFormData = {}, filterState = {} } = filter.defaultDataMask ?? {}
        return [filter.id, { id: filter.id, extraFormData, filterState, ownState: {} }]
      }),
  )

const toComparable = (entry: DataMaskEntry | undefined) => JSON.stringify([entry?.extraFormData ?? {}, valueOf(entry)])

/** Ids of entries that differ in query or value. */
export const changedIds = (before: DataMask, after: DataMask): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (id) => toComparable(before[id]) !== toComparable(after[id]),
  )

/** Chosen values that the parent filters exclude. */
export const missingValuesOf = (entry: DataMaskEntry | undefined): ColumnValue[] =>
  toList(entry?.filterState?.missing) as ColumnValue[]
