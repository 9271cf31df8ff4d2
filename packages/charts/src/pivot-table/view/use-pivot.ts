import type { Frame } from '@parquetry/frame'
import { useEffect, useMemo, useState } from 'react'
import { buildPivot, buildPivotInSteps, type Pivot } from '../pivot.ts'
import type { PivotSpec } from '../spec.ts'

export interface ReadyPivot {
  frame: Frame
  spec: PivotSpec
  pivot: Pivot
}

const maxSyncCells = 20_000
const sliceMs = 12

/**
 * Builds the pivot of a response; a large one is built in time slices, during which the previous one is shown. Null before the
 * first.
 */
export function usePivot(frame: Frame, spec: PivotSpec): ReadyPivot | null {
  const isSmall = frame.rows * spec.metrics.length <= maxSyncCells
  const small = useMemo(
    () => (isSmall ? { frame, spec, pivot: buildPivot(frame, spec) } : null),
    [isSmall, frame, spec],
  )
  const [large, setLarge] = useState<ReadyPivot | null>(null)
  useEffect(() => {
    if (isSmall) return
    const steps = buildPivotInSteps(frame, spec)
    let timer = 0
    const goOn = (): void => {
      for (const until = performance.now() + sliceMs; performance.now() < until;) {
        const step = steps.next()
        if (step.done) return setLarge({ frame, spec, pivot: step.value })
      }
      timer = window.setTimeout(goOn)
    }
    timer = window.setTimeout(goOn)
    return () => window.clearTimeout(timer)
  }, [isSmall, frame, spec])
  return small ?? large
}
