import { chartsInScope, GenericType, readNativeFilters, type LayoutNodes, type NativeFilter } from '@parquetry/model'
import type { LoadedDataset } from '../data/calls.ts'
import type { ChartRecord, Metadata } from '../document/read-dashboard.ts'
import { faultNames, type FilterFault, type FilterKind } from './kinds/kind.ts'
import { getKind, kindOf } from './kinds/registry.ts'
import { targetColumnOf, targetDatasetOf, isDivider, isRequired } from './mask.ts'

/** True if the filter can be edited here; unknown kinds from other tools stay unchanged. */
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

/** Converts the filter to another kind: shared fields stay, the value and settings of the old kind are dropped. */
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

/** Selects the filter's dataset if there is only one to choose. */
export function withOnlyDataset(filter: NativeFilter, datasets: readonly Pick<LoadedDataset, 'id'>[]): NativeFilter {
  const [only, ...others] = datasets
  const kind = kindOf(filter)
  if (!kind || isDivider(filter) || kind.target === 'none' || targetDatasetOf(filter) !== undefined) return filter
  return only && others.length === 0 ? { ...filter, targets: [{ datasetId: only.id }] } : filter
}

/** Missing fields that prevent saving a filter, in the order of the form. */
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
  /** Charts of the dashboard that use the column. */
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

/** Columns that a kind of filter can target, most used first. */
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

const fractionalTypes = /float|double|real|decimal|numeric|number|money/i
const zeroScale = /\(\s*\d+\s*(,\s*0\s*)?\)/

/**
 * Returns the kind of a new filter on a column: a range of numbers that are fractional or too many for a list, otherwise a list of
 * values.
 */
export async function suggestKind(
  datasets: readonly LoadedDataset[],
  { dataset, column }: ColumnUse,
  hasManyValues: () => Promise<boolean>,
): Promise<'filter_range' | 'filter_select'> {
  const found = datasets.find(({ id }) => id === dataset)?.columns?.find(({ column_name }) => column_name === column)
  const isNumeric = found?.type_generic === GenericType.NUMERIC && getKind('filter_range').fits?.(found) !== false
  if (!isNumeric) return 'filter_select'
  const type = found.type ?? ''
  const isFractional = fractionalTypes.test(type) && !zeroScale.test(type)
  return isFractional || (await hasManyValues()) ? 'filter_range' : 'filter_select'
}

/**
 * Sets the column of a filter. Unless set before, its name becomes that of the column, and its scope the charts of all datasets
 * that have a column of this name.
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
    // A value of another column is meaningless here.
    defaultDataMask: { extraFormData: {}, filterState: {} },
    scope: isFirst ? buildScope(nodes, reached, filter.scope) : filter.scope,
  }
}

/**
 * Scope of exactly these charts, stored as the whole dashboard minus the others, so that new charts are included.
 * @param before  its exclusions of charts missing from the layout are preserved, since an undo may restore them
 */
export function buildScope(
  nodes: LayoutNodes,
  charts: readonly number[],
  before?: NativeFilter['scope'],
): NonNullable<NativeFilter['scope']> {
  const all = chartsInScope(nodes, wholeDashboard)
  const removedIds = (before?.excluded ?? []).filter((id) => !all.includes(id))
  return { rootPath: ['ROOT_ID'], excluded: [...all.filter((id) => !charts.includes(id)), ...removedIds] }
}

/** Metadata with new filters. The charts in scope are written beside each scope, as other tools expect. */
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

/** Filters whose values depend on this one; it cannot be removed while there are any. */
export const findDependentFilters = (filters: readonly NativeFilter[], id: string): NativeFilter[] =>
  filters.filter(({ cascadeParentIds }) => cascadeParentIds?.includes(id))

/** Moves one entry by one position; returns the same list at its ends. */
export function reorder<T extends { id: string }>(list: readonly T[], id: string, by: 1 | -1): readonly T[] {
  const index = list.findIndex((each) => each.id === id)
  const to = index + by
  const moved = list[index]
  return moved && to >= 0 && to < list.length ? list.toSpliced(index, 1).toSpliced(to, 0, moved) : list
}

/**
 * Converts the filter back to an earlier kind and restores the settings of that kind, if the dataset is the same.
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

/** True if depending on `parent` would make the filter depend on itself. */
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
