import type { QueryContext } from '@parquetry/model'
import { useQuery } from '@tanstack/react-query'
import { fetchFrameResults } from '../shared/frame-results.ts'
import { api } from '../shared/api.ts'

/** SQL of each query, or its error. @throws ApiError */
export async function fetchQueryTexts(context: QueryContext, signal?: AbortSignal): Promise<string[]> {
  const { result } = await api.post('/api/v1/chart/data', {
    body: { ...context, result_type: 'query', result_format: 'json' },
    signal,
  })
  return result.map(({ query, error }) => error ?? query ?? '')
}

/** Loads the SQL of a query while it is shown. */
export const useQueryText = (context: QueryContext | null) =>
  useQuery({
    queryKey: ['chart-query', context],
    queryFn: async ({ signal }) => (await fetchQueryTexts(context as QueryContext, signal)).join('\n\n'),
    enabled: context !== null,
    retry: false,
  })

/** Loads sample rows of the dataset while they are shown. */
export const useSamples = (context: QueryContext | null) =>
  useQuery({
    queryKey: ['chart-samples', context],
    queryFn: async ({ signal }) => {
      const [first] = await fetchFrameResults({ ...(context as QueryContext), result_type: 'samples' }, signal)
      if (!first) throw new Error('an answer without rows')
      return first.frame
    },
    enabled: context !== null,
    retry: false,
  })
