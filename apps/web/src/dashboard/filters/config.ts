import { chartsInScope, nativeFilters, type LayoutNodes, type NativeFilter } from '@parquetry/model'
import type { LoadedDataset } from '../data/calls.ts'
import type { ChartResult, Metadata } from '../document/read-dashboard.ts'
import { columnOf, datasetOf, isDivider } from './mask.ts'

/** Filters that can be made and edited here; others are kept as they are. */
export const filterKinds = ['filter_select', 'filter_time'] as const
export type FilterKind = (typeof filterKinds)[number]

export const isEditable = (filter: NativeFilter): boolean =>
  isDivider(filter) || (filterKinds as readonly string[]).includes(filter.filterType ?? '')

const wholeDashboard = { rootPath: ['ROOT_ID'], excluded: [] }

export function newFilter(suffix: string, kind: FilterKind): NativeFilter {
  return {
    id: `NATIVE_FILTER-${suffix}`,
    type: 'NATIVE_FILTER',
    name: '',
    filterType: kind,
    targets: [{}],
    controlValues: kind === 'filter_select' ? { multiSelect: true, enableEmptyFilter: false } : {},
    defaultDataMask: { extraFormData: {}, filterState: {} },
    cascadeParentIds: [],
    scope: wholeDashboard,
    description: '',
  }
}

export const newDivider = (suffix: string, title: string): NativeFilter => ({
  id: `NATIVE_FILTER_DIVIDER-${suffix}`,
  type: 'DIVIDER',
  title,
  description: '',
  scope: wholeDashboard,
})

export type FilterFault = 'name' | 'dataset' | 'column' | 'scope'

/** What keeps a filter from being saved, in the order of the form. */
export function faultsOf(filter: NativeFilter, nodes: LayoutNodes): FilterFault[] {
  if (!isEditable(filter)) return []
  if (isDivider(filter)) return filter.title?.trim() ? [] : ['name']
  const needsColumn = filter.filterType === 'filter_select'
  return [
    ...(filter.name?.trim() ? [] : ['name' as const]),
    ...(needsColumn && datasetOf(filter) === undefined ? ['dataset' as const] : []),
    ...(needsColumn && !columnOf(filter) ? ['column' as const] : []),
    ...(chartsInScope(nodes, filter.scope).length > 0 ? [] : ['scope' as const]),
  ]
}

export interface ColumnUse {
  dataset: number
  column: string
  label: string
  /** Charts of the dashboard that name the column. */
  charts: number[]
}

const usesOf = (charts: Iterable<ChartResult>, dataset: number, column: string): number[] => {
  const quoted = JSON.stringify(column)
  return [...charts]
    .filter(
      ({ form_data }) => form_data.datasource === `${dataset}__table` && JSON.stringify(form_data).includes(quoted),
    )
    .map(({ id }) => id)
}

/** Columns that filters can be made of, those that most charts use first. */
export function columnUses(datasets: readonly LoadedDataset[], charts: ReadonlyMap<number, ChartResult>): ColumnUse[] {
  return datasets
    .flatMap(({ id, columns }) =>
      (columns ?? [])
        .filter(({ filterable, is_dttm }) => filterable !== false && is_dttm !== true)
        .map(({ column_name, verbose_name }) => ({
          dataset: id,
          column: column_name,
          label: verbose_name || column_name,
          charts: usesOf(charts.values(), id, column_name),
        })),
    )
    .toSorted((a, b) => b.charts.length - a.charts.length || a.label.localeCompare(b.label))
}

/** A filter of this column; it is named after it, and reaches the charts of its dataset, until somebody says otherwise. */
export function withTarget(
  filter: NativeFilter,
  { dataset, column, label }: ColumnUse,
  charts: ReadonlyMap<number, ChartResult>,
  nodes: LayoutNodes,
): NativeFilter {
  const reached = [...charts.values()]
    .filter(({ form_data }) => form_data.datasource === `${dataset}__table`)
    .map(({ id }) => id)
  const isFirst = columnOf(filter) === undefined && reached.length > 0
  return {
    ...filter,
    targets: [{ datasetId: dataset, column: { name: column } }],
    name: filter.name || label,
    // A value of another column means nothing in this one.
    defaultDataMask: { extraFormData: {}, filterState: {} },
    scope: isFirst ? scopeOf(nodes, reached, filter.scope) : filter.scope,
  }
}

/**
 * The scope that reaches these charts and no others; the whole dashboard but for the rest, so that new charts are in.
 * @param before  what it leaves out stays out where the layout does not have it, since an undo may bring it back
 */
export function scopeOf(
  nodes: LayoutNodes,
  charts: readonly number[],
  before?: NativeFilter['scope'],
): NonNullable<NativeFilter['scope']> {
  const all = chartsInScope(nodes, wholeDashboard)
  const gone = (before?.excluded ?? []).filter((id) => !all.includes(id))
  return { rootPath: ['ROOT_ID'], excluded: [...all.filter((id) => !charts.includes(id)), ...gone] }
}

/** The metadata with other filters; what each reaches is written beside its scope, as other tools read it. */
export const withNativeFilters = (
  metadata: Metadata,
  filters: readonly NativeFilter[],
  nodes: LayoutNodes,
): Metadata => ({
  ...metadata,
  native_filter_configuration: filters.map((filter) =>
    isDivider(filter) ? filter : { ...filter, chartsInScope: chartsInScope(nodes, filter.scope) },
  ),
})

export const filtersOf = (metadata: Metadata, nodes: LayoutNodes): NativeFilter[] => nativeFilters({ metadata, nodes })

/** Filters that offer only what this one leaves: while there are any, it is not removed. */
export const dependantsOf = (filters: readonly NativeFilter[], id: string): NativeFilter[] =>
  filters.filter(({ cascadeParentIds }) => cascadeParentIds?.includes(id))

/** The list with one entry moved by a step; the same list at its ends. */
export function reordered<T extends { id: string }>(list: readonly T[], id: string, by: 1 | -1): readonly T[] {
  const at = list.findIndex((each) => each.id === id)
  const to = at + by
  const moved = list[at]
  return moved && to >= 0 && to < list.length ? list.toSpliced(at, 1).toSpliced(to, 0, moved) : list
}
