import { useTheme } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, type ReactNode } from 'react'
import { api } from '../api.ts'
import { fetchCachedPicture } from '../chart-picture.ts'

/** Drawn about as large as on a dashboard and shown smaller, so that it looks like its chart. */
const size = { width: 480, height: 300 }

/** A chart from what is kept of its answer, drawn by the server: a page of cards needs no code of charts. */
export function ChartPicture({ id, sketch }: { id: number; sketch: ReactNode }) {
  const theme = useTheme()
  const { data } = useQuery({
    queryKey: ['chart', 'picture', id, theme],
    queryFn: ({ signal }) => fetchPicture(id, theme, signal),
    staleTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const address = useMemo(() => data && URL.createObjectURL(data), [data])
  useEffect(() => () => void (address && URL.revokeObjectURL(address)), [address])
  return address ? <img src={address} alt="" /> : sketch
}

async function fetchPicture(slice_id: number, theme: 'light' | 'dark', signal: AbortSignal): Promise<Blob | null> {
  const { form_data } = (await api.get('/api/v1/explore/', { query: { slice_id }, signal, quiet: true })).result
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return fetchCachedPicture({ format: 'svg', theme, time_zone }, { form_data, title: '', ...size }, signal)
}
