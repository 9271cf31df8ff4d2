import { readNativeFilters, type NativeFilter } from '@parquetry/model'
import { useEffect } from 'react'
import { toFilteredDashboard } from '../state/chart-request.ts'
import { useDashboard } from '../state/context.ts'
import type { DashboardStore } from '../state/store.ts'
import { kindOf } from './kinds/registry.ts'
import { hasValue, toList, missingValuesOf, buildSelectEntry, valueOf, type ColumnValue } from './mask.ts'
import { buildParentKey } from './value-queries.ts'
import { fetchMissingValues } from './values.ts'

/** Keeps the queries of dependent filters consistent with their parents, even while the bar is closed. */
export function useDependentFilters(): void {
  const { store } = useDashboard()
  useEffect(() => watchDependentFilters(store), [store])
}

/**
 * Checks the chosen values of dependent filters again when their parents change. A value without rows stays chosen but is left
 * out of the query until it has rows again.
 * @returns a function that stops it
 */
export function watchDependentFilters(store: DashboardStore): () => void {
  const checked = new Map<string, string>()

  const check = async (filter: NativeFilter): Promise<void> => {
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
    if (checked.get(filter.id) === key) storeMissing(filter, values, missing)
  }

  const storeMissing = (filter: NativeFilter, values: ColumnValue[], missing: ColumnValue[]): void => {
    const { chosen, mask, actions } = store.getState()
    const before = chosen[filter.id]
    if (JSON.stringify(missingValuesOf(before)) === JSON.stringify(missing)) return
    const entry = buildSelectEntry(filter, values, missing)
    const inForce = mask[filter.id]
    const isInForce =
      JSON.stringify(valueOf(inForce)) === JSON.stringify(valueOf(before)) &&
      buildParentKey(filter, mask) === buildParentKey(filter, chosen)
    if (isInForce) actions.filter(filter.id, entry)
    else actions.choose({ [filter.id]: entry })
  }

  const checkAll = (): void => {
    const { dashboard, chosen } = store.getState()
    for (const filter of readNativeFilters(toFilteredDashboard(dashboard, dashboard.layout.nodes))) {
      const isDependent = (filter.cascadeParentIds ?? []).length > 0 && kindOf(filter)?.hasValues === true
      if (isDependent && hasValue(chosen[filter.id])) void check(filter)
    }
  }
  checkAll()
  return store.subscribe((now, before) => {
    if (now.chosen !== before.chosen || now.dashboard !== before.dashboard) checkAll()
  })
}
