import type { TimeSpan } from '@parquetry/charts'
import type { DatasetObject } from '@parquetry/model'
import { api } from './api.ts'
import { buildTimeSpanQuery, readTimeSpan } from './time-span-query.ts'

/** A time column of a dataset. */
export interface TimeSource {
  dataset: Pick<DatasetObject, 'id' | 'type'>
  column: string
}

/** Fetches the first and last time of a column; null for a column without two times. */
export async function fetchColumnSpan({ dataset, column }: TimeSource, signal?: AbortSignal): Promise<TimeSpan | null> {
  const body = buildTimeSpanQuery(dataset, column)
  const { result } = await api.post('/api/v1/chart/data', { body, ...(signal && { signal }) })
  return readTimeSpan(result[0]?.data?.[0])
}
