import { readNativeFilters, type DataMaskEntry, type NativeFilter } from '@parquetry/model'
import { useEffect } from 'react'
import { toFilteredDashboard } from '../state/chart-request.ts'
import { useDashboard } from '../state/context.ts'
import type { DashboardStore } from '../state/store.ts'
import { defaultsToFirst, kindOf } from './kinds/registry.ts'
import { emptyEntry, hasValue, toList, missingValuesOf, buildSelectEntry, valueOf, type ColumnValue } from './mask.ts'
import { buildParentKey } from './value-queries.ts'
import { fetchFirstValue, fetchMissingValues } from './values.ts'

/** Keeps the queries of dependent filters consistent with their parents, even while the bar is closed. */
export function useDependentFilters(): void {
  const { store } = useDashboard()
  useEffect(() => watchDependentFilters(store), [store])
}

/**
 * Checks the chosen values of dependent filters again when their parents change. A value without rows stays chosen but is left
 * out of the query until it has rows again. A filter that starts with its first value chooses the first one again, unless the
 * user chose another one that still has rows.
 * @returns a function that stops it
 */
export function watchDependentFilters(store: DashboardStore): () => void {
  const checked = new Map<string, string>()
  /** The last parents of each filter, as `buildParentKey`. */
  const parents = new Map<string, string>()

  /** @param startsAgain  chooses the first value if none of the chosen ones has rows */
  const check = async (filter: NativeFilter, startsAgain: boolean): Promise<void> => {
    const { chosen, dashboard } = store.getState()
    const values = toList(valueOf(chosen[filter.id])) as ColumnValue[]
    const above = buildParentKey(filter, chosen)
    const key = JSON.stringify([above, values])
    if (checked.get(filter.id) === key) return
    checked.set(filter.id, key)
    const isFree = /^\[(\{\},?)*\]$/.test(above)
    // If the check fails, all chosen values are queried: the charts show the true result.
    const missing = isFree
      ? []
      : await fetchMissingValues(filter, dashboard.result.id, chosen, values).catch(() => [] as ColumnValue[])
    if (checked.get(filter.id) !== key) return
    if (startsAgain && missing.length === values.length) void chooseFirst(filter)
    else storeMissing(filter, values, missing)
  }

  const storeMissing = (filter: NativeFilter, values: ColumnValue[], missing: ColumnValue[]): void => {
    if (JSON.stringify(missingValuesOf(store.getState().chosen[filter.id])) === JSON.stringify(missing)) return
    storeEntry(filter, buildSelectEntry(filter, values, missing))
  }

  const chooseFirst = async (filter: NativeFilter): Promise<void> => {
    const { chosen, dashboard } = store.getState()
    const key = buildParentKey(filter, chosen)
    // If the values cannot be read, the chosen ones stay.
    const found = await fetchFirstValue(filter, dashboard.result.id, chosen).then(
      (value) => ({ value }),
      () => null,
    )
    const now = store.getState()
    if (!found || now.chosen[filter.id] !== chosen[filter.id] || buildParentKey(filter, now.chosen) !== key) return
    const entry = found.value === undefined ? emptyEntry(filter) : buildSelectEntry(filter, [found.value])
    now.actions.rememberFirst(filter.id, entry)
    storeEntry(filter, entry)
  }

  /** Stores the entry of a filter, and applies it if its previous entry and its parents are applied. */
  const storeEntry = (filter: NativeFilter, entry: DataMaskEntry): void => {
    const { chosen, mask, actions } = store.getState()
    const isInForce =
      JSON.stringify(valueOf(mask[filter.id])) === JSON.stringify(valueOf(chosen[filter.id])) &&
      buildParentKey(filter, mask) === buildParentKey(filter, chosen)
    if (isInForce) actions.filter(filter.id, entry)
    else actions.choose({ [filter.id]: entry })
  }

  /** True if the parents of the filter have changed since the last call. */
  const haveParentsChanged = (filter: NativeFilter): boolean => {
    const before = parents.get(filter.id)
    const above = buildParentKey(filter, store.getState().chosen)
    parents.set(filter.id, above)
    return before !== undefined && before !== above
  }

  const checkAll = (): void => {
    const { dashboard, chosen, firsts, awaited } = store.getState()
    for (const filter of readNativeFilters(toFilteredDashboard(dashboard, dashboard.layout.nodes))) {
      if ((filter.cascadeParentIds ?? []).length === 0 || kindOf(filter)?.hasValues !== true) continue
      const startsAgain = haveParentsChanged(filter) && defaultsToFirst(filter) && !awaited.includes(filter.id)
      const value = JSON.stringify(valueOf(chosen[filter.id]))
      const isFirst = !hasValue(chosen[filter.id]) || value === JSON.stringify(valueOf(firsts[filter.id]))
      if (startsAgain && isFirst) void chooseFirst(filter)
      else if (hasValue(chosen[filter.id])) void check(filter, startsAgain)
    }
  }
  checkAll()
  return store.subscribe((now, before) => {
    if (now.chosen !== before.chosen || now.dashboard !== before.dashboard) checkAll()
  })
}
