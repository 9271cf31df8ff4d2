import type { QueryContext } from '@parquetry/model'
import { useQuery } from '@tanstack/react-query'
import { fetchFrameResults } from '../shared/frame-results.ts'
import { api } from '../shared/api.ts'

const fetchQueries = async (context: QueryContext, signal?: AbortSignal) => {
  const body = { ...context, result_type: 'query', result_format: 'json' }
  return (await api.post('/api/v1/chart/data', { body, signal })).result
}

const textOf = ({ query, error }: { query?: string; error?: string | null }): string => error ?? query ?? ''

/** SQL of each query, or its error. @throws ApiError */
export const fetchQueryTexts = async (context: QueryContext, signal?: AbortSignal): Promise<string[]> =>
  (await fetchQueries(context, signal)).map(textOf)

/** Loads the SQL of a query and its time range while they are shown. */
export const useQueryText = (context: QueryContext | null) =>
  useQuery({
    queryKey: ['chart-query', context],
    queryFn: async ({ signal }) => {
      const queries = await fetchQueries(context as QueryContext, signal)
      return { text: queries.map(textOf).join('\n\n'), range: queries[0] ?? {} }
    },
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
