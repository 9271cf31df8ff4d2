import { useOverlayLayer } from '@parquetry/ui'
import { Suspense } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { useActions, useDashboardState } from '../state/context.ts'

const FullSizeChart = lazyComponent(async () => (await import('./FullSizeChart.tsx')).FullSizeChart)

/** Shows one chart in full size; Esc closes it. */
export function FullSize() {
  const id = useDashboardState((state) => state.fullSize)
  const { setFullSize } = useActions()
  useOverlayLayer(id !== null, () => setFullSize(null))
  return (
    id !== null && (
      <Suspense>
        <FullSizeChart id={id} />
      </Suspense>
    )
  )
}
