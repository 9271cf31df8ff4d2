import { chartsBelow, rootId } from '@parquetry/model'
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { DashboardStore } from '../state/store.ts'
import { loadDataset, type LoadedDataset } from './calls.ts'
import type { DashboardData } from './dashboard-data.ts'

const collectLoaded = (answers: UseQueryResult<LoadedDataset>[]): LoadedDataset[] =>
  answers.flatMap(({ data }) => data ?? [])

/** Datasets of the dashboard and of charts added since, saved or not; filters can use both. */
export function useDatasets(
  loaded: readonly LoadedDataset[],
  store: DashboardStore,
  data: DashboardData,
): readonly LoadedDataset[] {
  const missing = useStore(store, ({ history }) => {
    const known = new Set(loaded.map(({ id, uid }) => uid ?? `${id}__table`))
    const all = chartsBelow(history.present, rootId).map((id) => data.chart(id)?.form_data.datasource)
    return [...new Set(all)].filter((uid) => typeof uid === 'string' && !known.has(uid)).join(' ')
  })
  const added = useQueries({
    queries: (missing ? missing.split(' ') : []).map((uid) => ({
      queryKey: ['dashboard', 'dataset', uid],
      queryFn: ({ signal }: { signal: AbortSignal }) => loadDataset(Number.parseInt(uid, 10), signal),
      staleTime: Infinity,
      retry: false,
    })),
    combine: collectLoaded,
  })
  return useMemo(() => [...loaded, ...added], [loaded, added])
}
