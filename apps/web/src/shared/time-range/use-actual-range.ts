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
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  const isOpen = asked === noTimeFilter || asked === ''
  const { data, error, isFetching } = useQuery({
    queryKey: ['time_range', asked],
    enabled: !isOpen,
    queryFn: ({ signal }) => api.get('/api/v1/time_range/', { q: asked, signal }),
    retry: false,
    staleTime: 60_000,
  })
  if (isOpen) return { range: null, error: null, busy: asked !== text }
  return {
    range: data && !error ? ([data.result].flat()[0] ?? null) : null,
    error: error ? messageOf(error) : null,
    busy: isFetching || asked !== text,
  }
}
