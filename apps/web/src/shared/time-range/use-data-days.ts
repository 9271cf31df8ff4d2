import { useQuery } from '@tanstack/react-query'
import { fetchColumnSpan, type TimeSource } from '../fetch-column-span.ts'

/** First and last day of the data, `2026-05-03`. */
export interface DataDays {
  from: string
  to: string
}

/** Returns the days that a time column covers; null while they are unknown, and without a source. */
export function useDataDays(source: TimeSource | undefined): DataDays | null {
  const { data } = useQuery({
    queryKey: ['time_span', source?.dataset.type, source?.dataset.id, source?.column],
    enabled: source !== undefined,
    queryFn: ({ signal }) => (source ? fetchColumnSpan(source, signal) : null),
    retry: false,
    staleTime: 60_000,
  })
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  return data ? { from: day(data.from), to: day(data.to) } : null
}
