import type { ActualRange } from '@parquetry/model'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { messageOf } from '../errors.ts'
import { noTimeFilter } from './time-range.ts'

export interface ActualRangeState {
  range: ActualRange | null
  /** Why the text is invalid (TIME-009). */
  error: string | null
  busy: boolean
}

const typingMs = 250

/** Returns the current instants of a range, resolved by the server (API-076). Null for no filter. */
export function useActualRange(text: string): ActualRangeState {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  const isOpen = debounced === noTimeFilter || debounced === ''
  const { data, error, isFetching } = useQuery({
    queryKey: ['time_range', debounced],
    enabled: !isOpen,
    queryFn: ({ signal }) => api.get('/api/v1/time_range/', { q: debounced, signal }),
    retry: false,
    staleTime: 60_000,
  })
  if (isOpen) return { range: null, error: null, busy: debounced !== text }
  return {
    range: data && !error ? ([data.result].flat()[0] ?? null) : null,
    error: error ? messageOf(error) : null,
    busy: isFetching || debounced !== text,
  }
}
