import type { LostName } from '@parquetry/model'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

const none: readonly LostName[] = []

/** What became of names that a dataset does not have any more; nothing for who may not read it. */
export function useLostNames(datasetId: number | null, isWanted: boolean): readonly LostName[] {
  const { data } = useQuery({
    queryKey: ['dataset', datasetId, 'lost names'],
    queryFn: async () => (await api.get('/api/v1/dataset/:id/lost_names', { params: { id: datasetId ?? 0 } })).result,
    enabled: isWanted && datasetId !== null,
    retry: false,
  })
  return data ?? none
}
