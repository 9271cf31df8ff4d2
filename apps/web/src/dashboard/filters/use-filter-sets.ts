import { type DataMask, type FilterSet } from '@parquetry/model'
import { toast, toastError, useTranslate } from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { isAdmin, userId } from '../../shared/rights.ts'
import { newDashboardId } from '../document/read-dashboard.ts'
import { useDashboardState, useDashboard } from '../state/context.ts'
import { changedIds, emptyEntry, isDivider } from './mask.ts'
import type { FilterBarState } from './use-filter-bar.ts'

const route = '/api/v1/dashboard/:id/filtersets'
const one = '/api/v1/dashboard/:id/filtersets/:set'

/** Filter sets of a dashboard: the applied one, and the actions on each. */
export function useFilterSets(bar: FilterBarState, first: number | undefined, isWanted: boolean) {
  const t = useTranslate()
  const { rights } = useDashboard()
  const id = useDashboardState(({ dashboard }) => dashboard.result.id)
  const client = useQueryClient()
  const [current, setCurrent] = useState<number | null>(null)
  const queryKey = ['dashboard', 'filter-sets', id]
  const { data: sets = [], isFetched } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api.get(route, { params: { id }, q: { page_size: 1000 }, signal })).result,
    enabled: isWanted && id !== newDashboardId,
  })
  const filters = [...bar.shown, ...bar.hidden].filter((filter) => !isDivider(filter))

  const apply = (set: FilterSet): void => {
    const { dataMask = {} } = set.params
    // Filters missing from the set are cleared, so that a set always shows the same.
    const entries = Object.fromEntries(filters.map((filter) => [filter.id, dataMask[filter.id] ?? emptyEntry(filter)]))
    setCurrent(set.id)
    bar.chooseAll(entries)
    bar.apply()
  }
  const stateNow = (): string => {
    const dataMask: DataMask = Object.fromEntries(
      filters.flatMap(({ id: filter }) => (bar.chosen[filter] ? [[filter, bar.chosen[filter]]] : [])),
    )
    return JSON.stringify({ nativeFilters: Object.fromEntries(filters.map((each) => [each.id, each])), dataMask })
  }
  const after = {
    onSuccess: () => client.invalidateQueries({ queryKey }),
    onError: (error: unknown) => toastError(messageOf(error)),
  }
  const create = useMutation({
    ...after,
    mutationFn: ({ name, isShared }: { name: string; isShared: boolean }) =>
      api.post(route, {
        params: { id },
        body: {
          name,
          json_metadata: stateNow(),
          ...(isShared ? { owner_type: 'Dashboard' } : { owner_type: 'User', owner_id: userId ?? 0 }),
        },
      }),
    onSuccess: (made) => {
      setCurrent(made.id)
      toast(t('dashboard.setSaved', 'Filter set saved'))
      return client.invalidateQueries({ queryKey })
    },
  })
  const update = useMutation({
    ...after,
    mutationFn: ({ set, name }: { set: number; name?: string }) =>
      api.put(one, { params: { id, set }, body: name === undefined ? { json_metadata: stateNow() } : { name } }),
  })
  const remove = useMutation({
    ...after,
    mutationFn: ({ id: set }: FilterSet) => api.del(one, { params: { id, set } }),
    onSuccess: (_, { name }) => {
      toast(t('dashboard.setRemoved', 'Deleted: {name}', { name }))
      return client.invalidateQueries({ queryKey })
    },
  })

  // A link may name the initial set.
  const hasAppliedInitial = useRef(false)
  useEffect(() => {
    const named = sets.find((set) => set.id === first)
    if (!named || hasAppliedInitial.current) return
    hasAppliedInitial.current = true
    apply(named)
  })

  const set = sets.find((each) => each.id === current) ?? null
  const { dataMask = {} } = set?.params ?? {}
  const pickFilters = (mask: DataMask): DataMask =>
    Object.fromEntries(filters.map((filter) => [filter.id, mask[filter.id] ?? emptyEntry(filter)]))
  return {
    sets,
    /** The sets are loaded; before that none can be chosen. */
    isKnown: isFetched,
    set,
    /** The chosen values differ from the set that was applied. */
    isChanged: set !== null && changedIds(pickFilters(dataMask), pickFilters(bar.chosen)).length > 0,
    mayChange: ({ owner_type, owner_id }: FilterSet): boolean =>
      isAdmin || (owner_type === 'User' ? owner_id === userId : rights.edit),
    mayShare: rights.edit,
    apply,
    create,
    update,
    remove,
  }
}
