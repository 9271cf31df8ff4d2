import { VersionsDrawer } from '../../shared/history/VersionsDrawer.tsx'
import { loadDashboard } from '../data/calls.ts'
import { titleOf } from '../document/read-dashboard.ts'
import { useActions, useDashboardState } from '../state/context.ts'

/** Versions of the open dashboard; a restored one is shown immediately. */
export function DashboardVersions({ onClose }: { onClose(): void }) {
  const { load } = useActions()
  const dashboard = useDashboardState((state) => state.dashboard)
  const { id } = dashboard.result
  return (
    <VersionsDrawer
      kind="dashboard"
      id={id}
      name={titleOf(dashboard)}
      onClose={onClose}
      onRestored={async () => load((await loadDashboard(String(id))).dashboard)}
    />
  )
}
