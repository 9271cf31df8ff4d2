import { timeColumn, type DatasetFacts, type TimeSpan } from '@parquetry/charts'
import type { DatasetObject } from '@parquetry/model'
import { api } from './api.ts'
import { readTimeSpan, buildDistinctTimesQuery, buildTimeSpanQuery } from './time-span-query.ts'

const timeoutMs = 2000

/**
 * Fetches the times of a dataset's main time column; null when it has none, or when the response is slower than a suggested chart
 * may wait. The number of distinct times is left out when it takes longer.
 */
export async function fetchTimeSpan(
  dataset: DatasetFacts & Pick<DatasetObject, 'id' | 'type'>,
  signal?: AbortSignal,
): Promise<TimeSpan | null> {
  const column = timeColumn(dataset)
  if (column === undefined) return null
  const timeout = AbortSignal.timeout(timeoutMs)
  const fetchRow = async (body: object) => {
    try {
      const { result } = await api.post('/api/v1/chart/data', {
        body,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      return result[0]?.data?.[0]
    } catch {
      return undefined
    }
  }
  const [ends, count] = await Promise.all([
    fetchRow(buildTimeSpanQuery(dataset, column)),
    fetchRow(buildDistinctTimesQuery(dataset, column)),
  ])
  return readTimeSpan(ends && { ...ends, ...count })
}
