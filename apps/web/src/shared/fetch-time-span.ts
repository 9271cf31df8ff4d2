import { timeColumn, type DatasetFacts, type TimeSpan } from '@parquetry/charts'
import type { DatasetObject } from '@parquetry/model'
import { api } from './api.ts'
import { readTimeSpan, buildTimeSpanQuery } from './time-span-query.ts'

const timeoutMs = 2000

/**
 * Fetches the span of a dataset's main time column; null when it has none, or when the response is slower than a suggested chart
 * may wait.
 */
export async function fetchTimeSpan(
  dataset: DatasetFacts & Pick<DatasetObject, 'id' | 'type'>,
  signal?: AbortSignal,
): Promise<TimeSpan | null> {
  const column = timeColumn(dataset)
  if (column === undefined) return null
  const body = buildTimeSpanQuery(dataset, column)
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const { result } = await api.post('/api/v1/chart/data', {
      body,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return readTimeSpan(result[0]?.data?.[0])
  } catch {
    return null
  }
}
