import type { MissingReference } from '@parquetry/model'
import { useQueries, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

const none: readonly MissingReference[] = []

const missingReferencesQuery = (id: number) => ({
  queryKey: ['dataset', id, 'missing references'],
  queryFn: async () => (await api.get('/api/v1/dataset/:id/lost_names', { params: { id } })).result,
  retry: false,
})

/** Returns renames and removals of names that a dataset no longer has; empty for users who may not read it. */
export function useMissingReferences(datasetId: number | null, isWanted: boolean): readonly MissingReference[] {
  const { data } = useQuery({ ...missingReferencesQuery(datasetId ?? 0), enabled: isWanted && datasetId !== null })
  return data ?? none
}

/** Returns the same for several datasets, by id. */
export function useMissingReferencesById(
  datasetIds: readonly number[],
): ReadonlyMap<number, readonly MissingReference[]> {
  const ids = [...new Set(datasetIds)]
  const answers = useQueries({ queries: ids.map(missingReferencesQuery) })
  return new Map(ids.map((id, index) => [id, answers[index]?.data ?? none]))
}
