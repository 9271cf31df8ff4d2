import type { Frame } from '@parquetry/frame'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { GridWorkerClient, maxMainThreadMs } from './grid-worker-client.ts'
import { estimateViewMs, isActiveFilter, computeRowView, type ViewSpec } from './row-view.ts'

export interface RowView {
  /** Undefined for the original order. */
  rows: Uint32Array | undefined
  /** A new order is being computed; the previous one stays until then. */
  isBusy: boolean
}

/** The worker of a frame, created on first use and terminated with the frame or the grid. */
export function useGridWorkerClient(frame: Frame): () => GridWorkerClient {
  const work = useRef<{ frame: Frame; work: GridWorkerClient } | null>(null)
  useEffect(
    () => () => {
      work.current?.work.end()
      work.current = null
    },
    [frame],
  )
  return () => {
    if (work.current?.frame !== frame) {
      work.current?.work.end()
      work.current = { frame, work: new GridWorkerClient(frame) }
    }
    return work.current.work
  }
}

/** Sorts, filters and searches the fetched rows; in a worker when it would block the page for more than a moment. */
export function useRowView(frame: Frame, spec: ViewSpec, work: () => GridWorkerClient): RowView {
  const isPlain = !spec.sorting && !spec.filters.some(isActiveFilter) && spec.search.trim() === ''
  const isSlow = !isPlain && estimateViewMs(frame, spec) > maxMainThreadMs
  const here = useMemo(() => (isSlow ? undefined : computeRowView(frame, spec)), [frame, spec, isSlow])
  const [there, setThere] = useState<{ frame: Frame; spec: ViewSpec; rows: Uint32Array } | null>(null)
  const fetchView = useEffectEvent(() => work().view(spec))

  useEffect(() => {
    if (!isSlow) return
    let isWanted = true
    fetchView().then(
      (rows) => isWanted && setThere({ frame, spec, rows }),
      // Without workers it still works, only slower.
      () => isWanted && setThere({ frame, spec, rows: computeRowView(frame, spec) ?? new Uint32Array(0) }),
    )
    return () => {
      isWanted = false
    }
  }, [frame, spec, isSlow])

  if (!isSlow) return { rows: here, isBusy: false }
  return {
    rows: there?.frame === frame ? there.rows : undefined,
    isBusy: there?.frame !== frame || there.spec !== spec,
  }
}
