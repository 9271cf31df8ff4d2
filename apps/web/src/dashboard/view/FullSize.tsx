import { useLayer } from '@parquetry/ui'
import { Suspense } from 'react'
import { lazyPart } from '../../shared/lazy-part.tsx'
import { useActions, useBoard } from '../state/context.ts'

const OneChart = lazyPart(async () => (await import('./OneChart.tsx')).OneChart)

/** The chart that somebody wants to see alone; Esc leaves. */
export function FullSize() {
  const id = useBoard((state) => state.fullSize)
  const { setFullSize } = useActions()
  useLayer(id !== null, () => setFullSize(null))
  return (
    id !== null && (
      <Suspense>
        <OneChart id={id} />
      </Suspense>
    )
  )
}
