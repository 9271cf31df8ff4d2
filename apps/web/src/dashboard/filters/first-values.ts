import { readNativeFilters, type NativeFilter } from '@parquetry/model'
import { toFilteredDashboard } from '../state/chart-request.ts'
import type { DashboardStore } from '../state/store.ts'
import { buildSelectEntry } from './mask.ts'
import { fetchFirstValue } from './values.ts'

/** Queries the first value of each filter that starts with it, parent filters first. */
export function loadFirstValues(store: DashboardStore): void {
  const { dashboard, awaited } = store.getState()
  const { result, layout } = dashboard
  const filters = readNativeFilters(toFilteredDashboard(dashboard, layout.nodes)).filter(({ id }) =>
    awaited.includes(id),
  )
  const pending = new Map<string, Promise<void>>()

  const loadAfterParents = async (filter: NativeFilter): Promise<void> => {
    await Promise.all((filter.cascadeParentIds ?? []).flatMap((id) => pending.get(id) ?? []))
    const { actions, mask } = store.getState()
    // A filter whose values cannot be read has no first value: its charts are shown, and its control reports the error when
    // opened.
    const value = await fetchFirstValue(filter, result.id, mask).catch(() => undefined)
    actions.setFirstValue(filter.id, value === undefined ? null : buildSelectEntry(filter, [value]))
  }
  for (const filter of sortByDependency(filters)) pending.set(filter.id, loadAfterParents(filter))
}

/** Sorts filters after those that they depend on; cycles keep their order. */
function sortByDependency(filters: readonly NativeFilter[]): NativeFilter[] {
  const sortedIds = new Set<string>()
  const rest = [...filters]
  const order: NativeFilter[] = []
  while (rest.length > 0) {
    const index = rest.findIndex(({ cascadeParentIds = [] }) =>
      cascadeParentIds.every((id) => sortedIds.has(id) || !rest.some((each) => each.id === id)),
    )
    const [next] = rest.splice(Math.max(0, index), 1)
    if (!next) break
    sortedIds.add(next.id)
    order.push(next)
  }
  return order
}
