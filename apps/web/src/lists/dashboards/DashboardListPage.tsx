import { useText } from '@parquetry/ui'
import { useMemo, useState } from 'react'
import { ListPage } from '../ListPage.tsx'
import { dashboards } from '../pages.ts'
import { PropertiesDialog } from '../../shared/PropertiesDialog.tsx'
import { dashboardList } from './dashboard-list.tsx'

export function DashboardListPage() {
  const t = useText()
  const definition = useMemo(() => dashboardList(t), [t])
  const [editing, setEditing] = useState<number | null>(null)
  return (
    <ListPage page={dashboards} definition={definition} onOpen={(_, id) => setEditing(id)}>
      {editing !== null && <PropertiesDialog kind="dashboard" id={editing} onClose={() => setEditing(null)} />}
    </ListPage>
  )
}
