import { buildQueryContext, type AnyChart, type ChartForm } from '@parquetry/charts'
import type { QueryContext } from '@parquetry/model'
import { useQuery } from '@tanstack/react-query'
import { fetchFrameResults } from '../shared/frame-results.ts'
import { api } from '../shared/api.ts'
import { saveResponse } from '../shared/save-response.ts'

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

const types = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
} as const
/** File formats for exporting rows. */
export type DownloadFormat = keyof typeof types

/** Exports the rows of the chart to a file, without the row counts and totals of further queries. @throws ApiError */
export async function downloadResults(
  chart: AnyChart,
  form: ChartForm,
  title: string,
  format: DownloadFormat,
): Promise<void> {
  const context = buildQueryContext(chart, { ...form, server_pagination: false })
  const body = { ...context, queries: context.queries.slice(0, 1), result_format: format, result_type: 'full' }
  await saveResponse(
    await api.send('POST', '/api/v1/chart/data', { body, accept: types[format] }),
    `${title}.${format}`,
  )
}
