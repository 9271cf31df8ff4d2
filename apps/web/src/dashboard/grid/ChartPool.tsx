import { layoutNode } from '@parquetry/model'
import { memo, useState } from 'react'
import { createPortal } from 'react-dom'
import { useBoard, useDashboard } from '../state/context.ts'
import { shownCharts } from '../state/tabs.ts'
import { DashboardChart } from './DashboardChart.tsx'

/**
 * Every chart that was shown so far, each drawn into its host. Flat and outside the layout: React never unmounts a chart because
 * its tile got another parent, and a chart of a closed tab keeps its picture.
 */
export function ChartPool() {
  const nodes = useBoard(({ history }) => history.present)
  const openTabs = useBoard((state) => state.openTabs)
  const [kept, setKept] = useState<readonly string[]>([])

  const shown = shownCharts(nodes, openTabs).map(({ id }) => id)
  const next = [...kept.filter((id) => layoutNode(nodes, id)), ...shown.filter((id) => !kept.includes(id))]
  const isSame = next.length === kept.length && next.every((id, at) => kept[at] === id)
  if (!isSame) setKept(next)
  return next.map((id) => <Pooled key={id} id={id} />)
}

const Pooled = memo(function Pooled({ id }: { id: string }) {
  const { hosts } = useDashboard()
  return createPortal(<DashboardChart nodeId={id} />, hosts.of(id), id)
})
