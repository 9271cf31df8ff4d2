import { useTranslate } from '@parquetry/ui'
import { useMemo, useState } from 'react'
import { ListPage } from '../ListPage.tsx'
import { dashboards } from '../pages.ts'
import { PropertiesDialog } from '../../shared/PropertiesDialog.tsx'
import { RowVersions } from '../RowVersions.tsx'
import { dashboardList } from './dashboard-list.tsx'

export function DashboardListPage() {
  const t = useTranslate()
  const definition = useMemo(() => dashboardList(t), [t])
  const [editing, setEditing] = useState<number | null>(null)
  const [history, setHistory] = useState<number | null>(null)
  return (
    <ListPage
      page={dashboards}
      definition={definition}
      onOpen={(dialog, id) => (dialog === 'versions' ? setHistory(id) : setEditing(id))}
    >
      {editing !== null && <PropertiesDialog kind="dashboard" id={editing} onClose={() => setEditing(null)} />}
      {history !== null && <RowVersions kind="dashboard" id={history} onClose={() => setHistory(null)} />}
    </ListPage>
  )
}
