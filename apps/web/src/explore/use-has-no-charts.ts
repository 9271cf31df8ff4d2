import { useQuery } from '@tanstack/react-query'
import { fetchChartNames } from '../shared/dataset-calls.ts'
import type { ExploreDataset } from './use-explore.ts'

/** Whether nobody has made a chart of a dataset yet; false until that is known, and where no dataset is given. */
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
