import { useTheme } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../api.ts'
import { fetchCachedPicture } from '../chart-picture.ts'
import { DrawnPicture, useObjectUrl } from './DrawnPicture.tsx'

/** Drawn at about dashboard size and scaled down, so that it resembles its chart. */
const size = { width: 480, height: 300 }

/**
 * Image of a chart that the server renders from its cached result in the theme of the page; without one, the image that it draws in
 * the background. A page of cards needs no chart code.
 */
export function ChartPicture({ id, sketch }: { id: number; sketch: ReactNode }) {
  const theme = useTheme()
  const { data, isPending } = useQuery({
    queryKey: ['chart', 'picture', id, theme],
    queryFn: ({ signal }) => fetchPicture(id, theme, signal),
    staleTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const address = useObjectUrl(data ?? null)
  if (address) return <img src={address} alt="" />
  return isPending ? sketch : <DrawnPicture of={{ kind: 'chart', id }} fallback={sketch} />
}

async function fetchPicture(slice_id: number, theme: 'light' | 'dark', signal: AbortSignal): Promise<Blob | null> {
  const { form_data } = (await api.get('/api/v1/explore/', { query: { slice_id }, signal, quiet: true })).result
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return fetchCachedPicture({ format: 'svg', theme, time_zone }, { form_data, title: '', ...size }, signal)
}
