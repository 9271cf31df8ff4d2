import { layoutNode } from '@parquetry/model'
import { yieldToEventLoop } from '@parquetry/charts/views/yield-to-event-loop'
import { memo, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useDashboardState, useDashboard } from '../state/context.ts'
import { shownCharts } from '../state/tabs.ts'
import { DashboardChart } from './DashboardChart.tsx'

/**
 * Renders every chart shown so far into its host. The list is flat and outside the layout: React never unmounts a chart because
 * its tile got another parent, and a chart of a closed tab stays drawn.
 */
export function ChartPool() {
  const nodes = useDashboardState(({ history }) => history.present)
  const openTabs = useDashboardState((state) => state.openTabs)
  const [pooledIds, setPooledIds] = useState<readonly string[]>([])

  const shown = shownCharts(nodes, openTabs).map(({ id }) => id)
  const next = [...pooledIds.filter((id) => layoutNode(nodes, id)), ...shown.filter((id) => !pooledIds.includes(id))]
  const isSame = next.length === pooledIds.length && next.every((id, index) => pooledIds[index] === id)
  if (!isSame) setPooledIds(next)
  const renderedCount = useSliced(next.length)
  return next.slice(0, renderedCount).map((id) => <Pooled key={id} id={id} />)
}

/** Number of frames created in one task. */
const slice = 5

/** Grows to a number in slices, so that many frames do not block the page. */
function useSliced(count: number): number {
  const [renderedCount, setRenderedCount] = useState(slice)
  useEffect(() => {
    if (renderedCount >= count) return undefined
    let isCurrent = true
    void yieldToEventLoop().then(() => isCurrent && setRenderedCount(renderedCount + slice))
    return () => {
      isCurrent = false
    }
  }, [renderedCount, count])
  return renderedCount
}

const Pooled = memo(function Pooled({ id }: { id: string }) {
  const { hosts } = useDashboard()
  return createPortal(<DashboardChart nodeId={id} />, hosts.of(id), id)
})
