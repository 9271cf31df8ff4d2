import { useQuery } from '@tanstack/react-query'
import { fetchChartNames } from '../shared/dataset-calls.ts'
import type { ExploreDataset } from './use-explore.ts'

/** True if a dataset has no charts; false until known, and without a dataset. */
export function useHasNoCharts(dataset: Pick<ExploreDataset, 'id' | 'type'> | null): boolean {
  const { data } = useQuery({
    queryKey: ['charts-of', dataset?.id],
    queryFn: ({ signal }) => fetchChartNames(dataset?.id ?? -1, signal),
    enabled: dataset?.type === 'table',
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  return data?.length === 0
}
