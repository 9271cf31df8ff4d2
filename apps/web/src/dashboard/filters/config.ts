import { chartsInScope, readNativeFilters, type LayoutNodes, type NativeFilter } from '@parquetry/model'
import type { LoadedDataset } from '../data/calls.ts'
import type { ChartRecord, Metadata } from '../document/read-dashboard.ts'
import { faultNames, type FilterFault, type FilterKind } from './kinds/kind.ts'
import { getKind, kindOf } from './kinds/registry.ts'
import { targetColumnOf, targetDatasetOf, isDivider, isRequired } from './mask.ts'

/** Whether it can be changed here; what another tool made of a kind that nobody here knows is kept as it is. */
export const isEditable = (filter: NativeFilter): boolean => kindOf(filter) !== undefined

const wholeDashboard = { rootPath: ['ROOT_ID'], excluded: [] }

/** @param filterType  null for a divider */
export function newFilter(suffix: string, filterType: string | null): NativeFilter {
  const common = { description: '', scope: wholeDashboard }
  if (filterType === null) return { id: `NATIVE_FILTER_DIVIDER-${suffix}`, type: 'DIVIDER', title: '', ...common }
  return {
    id: `NATIVE_FILTER-${suffix}`,
    type: 'NATIVE_FILTER',
    name: '',
    filterType,
    targets: [{}],
    defaultDataMask: { extraFormData: {}, filterState: {} },
    cascadeParentIds: [],
    ...common,
    ...getKind(filterType).defaults,
  }
}

/** The filter as another kind: what both have stays, values and settings of the old one go. */
export function convertKind(filter: NativeFilter, filterType: string): NativeFilter {
  const { targets, target } = { targets: filter.targets ?? [{}], target: getKind(filterType).target }
  const [{ datasetId } = {}] = targets
  return {
    ...filter,
    filterType,
    targets: target === 'column' ? targets : [target === 'dataset' && datasetId !== undefined ? { datasetId } : {}],
    controlValues: {
      ...(isRequired(filter) && { enableEmptyFilter: true }),
      ...getKind(filterType).defaults.controlValues,
    },
    defaultDataMask: { extraFormData: {}, filterState: {} },
    cascadeParentIds: getKind(filterType).hasValues ? (filter.cascadeParentIds ?? []) : [],
  }
}

/** The filter with the dataset that it stands on, where there is only one to choose. */
export function withOnlyDataset(filter: NativeFilter, datasets: readonly Pick<LoadedDataset, 'id'>[]): NativeFilter {
  const [only, ...others] = datasets
  const kind = kindOf(filter)
  if (!kind || isDivider(filter) || kind.target === 'none' || targetDatasetOf(filter) !== undefined) return filter
  return only && others.length === 0 ? { ...filter, targets: [{ datasetId: only.id }] } : filter
}

/** What keeps a filter from being saved, in the order of the form. */
export function validateFilter(filter: NativeFilter, nodes: LayoutNodes): FilterFault[] {
  const kind = kindOf(filter)
  if (!kind) return []
  if (isDivider(filter)) return filter.title?.trim() ? [] : ['name']
  const missing: Record<FilterFault, boolean> = {
    dataset: kind.target !== 'none' && targetDatasetOf(filter) === undefined,
    column: kind.target === 'column' && !targetColumnOf(filter),
    name: !filter.name?.trim(),
    scope: chartsInScope(nodes, filter.scope).length === 0,
  }
  return faultNames.filter((fault) => missing[fault])
}

export interface ColumnUse {
  dataset: number
  column: string
  label: string
  /** Charts of the dashboard that name the column. */
  charts: number[]
}

const findChartsUsing = (charts: Iterable<ChartRecord>, dataset: number, column: string): number[] => {
  const quoted = JSON.stringify(column)
  return [...charts]
    .filter(
      ({ form_data }) => form_data.datasource === `${dataset}__table` && JSON.stringify(form_data).includes(quoted),
    )
    .map(({ id }) => id)
}

/** Columns that filters of a kind can be made of, those that most charts use first. */
export function columnUses(
  datasets: readonly LoadedDataset[],
  charts: ReadonlyMap<number, ChartRecord>,
  { fits = () => true }: Pick<FilterKind, 'fits'> = getKind('filter_select'),
): ColumnUse[] {
  return datasets
    .flatMap(({ id, columns }) =>
      (columns ?? []).filter(fits).map(({ column_name, verbose_name }) => ({
        dataset: id,
        column: column_name,
        label: verbose_name || column_name,
        charts: findChartsUsing(charts.values(), id, column_name),
      })),
    )
    .toSorted((a, b) => b.charts.length - a.charts.length || a.label.localeCompare(b.label))
}

/**
 * A filter of this column; it is named after it, and reaches the charts of every dataset that has a column of this name, until
 * somebody says otherwise.
 */
export function withTarget(
  filter: NativeFilter,
  { dataset, column, label }: ColumnUse,
  charts: ReadonlyMap<number, ChartRecord>,
  nodes: LayoutNodes,
  datasets: readonly LoadedDataset[] = [],
): NativeFilter {
  const having = datasets.filter(({ columns = [] }) => columns.some(({ column_name }) => column_name === column))
  const keys = new Set([dataset, ...having.map(({ id }) => id)].map((id) => `${id}__table`))
  const reached = [...charts.values()]
    .filter(({ form_data }) => keys.has(String(form_data.datasource)))
    .map(({ id }) => id)
  const isFirst = targetColumnOf(filter) === undefined && reached.length > 0
  return {
    ...filter,
    targets: [{ datasetId: dataset, column: { name: column } }],
    name: filter.name || label,
    // A value of another column means nothing in this one.
    defaultDataMask: { extraFormData: {}, filterState: {} },
    scope: isFirst ? buildScope(nodes, reached, filter.scope) : filter.scope,
  }
}

/**
 * The scope that reaches these charts and no others; the whole dashboard but for the rest, so that new charts are in.
 * @param before  what it leaves out stays out where the layout does not have it, since an undo may bring it back
 */
export function buildScope(
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

export const listNativeFilters = (metadata: Metadata, nodes: LayoutNodes): NativeFilter[] =>
  readNativeFilters({ metadata, nodes })

/** Filters that offer only what this one leaves: while there are any, it is not removed. */
export const findDependentFilters = (filters: readonly NativeFilter[], id: string): NativeFilter[] =>
  filters.filter(({ cascadeParentIds }) => cascadeParentIds?.includes(id))

/** The list with one entry moved by a step; the same list at its ends. */
export function reorder<T extends { id: string }>(list: readonly T[], id: string, by: 1 | -1): readonly T[] {
  const at = list.findIndex((each) => each.id === id)
  const to = at + by
  const moved = list[at]
  return moved && to >= 0 && to < list.length ? list.toSpliced(at, 1).toSpliced(to, 0, moved) : list
}

/**
 * The filter as a kind that it was before: what that kind had comes back, as long as the filter stands on the same dataset.
 * @param before  the filter when it last was of that kind
 */
export function restoreKind(filter: NativeFilter, before: NativeFilter, others: readonly NativeFilter[]): NativeFilter {
  const next = convertKind(filter, before.filterType ?? '')
  const dataset = targetDatasetOf(filter)
  if (dataset !== undefined && dataset !== targetDatasetOf(before)) return next
  const { targets, controlValues, defaultDataMask, cascadeParentIds = [] } = before
  const stillAbove = (parent: string) =>
    others.some(({ id }) => id === parent) && !wouldCreateCycle([...others, filter], filter.id, parent)
  return { ...next, targets, controlValues, defaultDataMask, cascadeParentIds: cascadeParentIds.filter(stillAbove) }
}

/** Whether a filter would come to depend on itself, were it to depend on `parent`. */
export function wouldCreateCycle(filters: readonly NativeFilter[], id: string, parent: string): boolean {
  const seen = new Set<string>()
  const reaches = (from: string): boolean => {
    if (from === id) return true
    if (seen.has(from)) return false
    seen.add(from)
    return (filters.find((each) => each.id === from)?.cascadeParentIds ?? []).some(reaches)
  }
  return reaches(parent)
}
