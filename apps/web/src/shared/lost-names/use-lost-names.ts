import type { LostName } from '@parquetry/model'
import { useQueries, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

const none: readonly LostName[] = []

const lostNamesOf = (id: number) => ({
  queryKey: ['dataset', id, 'lost names'],
  queryFn: async () => (await api.get('/api/v1/dataset/:id/lost_names', { params: { id } })).result,
  retry: false,
})

/** What became of names that a dataset does not have any more; nothing for who may not read it. */
export function useLostNames(datasetId: number | null, isWanted: boolean): readonly LostName[] {
  const { data } = useQuery({ ...lostNamesOf(datasetId ?? 0), enabled: isWanted && datasetId !== null })
  return data ?? none
}

/** The same of several datasets, by their ids. */
export function useLostNamesOf(datasetIds: readonly number[]): ReadonlyMap<number, readonly LostName[]> {
  const ids = [...new Set(datasetIds)]
  const answers = useQueries({ queries: ids.map(lostNamesOf) })
  return new Map(ids.map((id, at) => [id, answers[at]?.data ?? none]))
}
