import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, type ReactNode } from 'react'
import { hasFeature } from '../features.ts'
import { fetchThumbnail } from './fetch-thumbnail.ts'
import styles from './thumbnail.module.css'
import type { ThumbnailTarget } from './thumbnail-target.ts'

const hasThumbnails = hasFeature('THUMBNAILS')

/** Image that the server draws in the background. @param fallback  shown until it is there, and when there is none */
export function DrawnPicture({ of, fallback }: { of: ThumbnailTarget; fallback: ReactNode }) {
  const { data } = useQuery({
    queryKey: [of.kind, 'thumbnail', of.kind === 'chart' ? of.id : String(of.name)],
    queryFn: ({ signal }) => fetchThumbnail(of, signal),
    enabled: hasThumbnails,
    staleTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const address = useObjectUrl(data ?? null)
  return address ? <img src={address} alt="" className={styles.drawn} /> : fallback
}

/** Address of data in memory, until the component is gone; null for none. */
export function useObjectUrl(data: Blob | null): string | null {
  const address = useMemo(() => data && URL.createObjectURL(data), [data])
  useEffect(() => () => void (address && URL.revokeObjectURL(address)), [address])
  return address
}
