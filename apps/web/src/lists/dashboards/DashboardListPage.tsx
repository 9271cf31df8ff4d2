import { IconButton, Menu, useTranslate } from '@parquetry/ui'
import { useMemo, useState } from 'react'
import { can } from '../../shared/rights.ts'
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
      actions={can('can_export', 'ImportExportRestApi') && <ExportEverything />}
      onOpen={(dialog, id) => (dialog === 'versions' ? setHistory(id) : setEditing(id))}
    >
      {editing !== null && <PropertiesDialog kind="dashboard" id={editing} onClose={() => setEditing(null)} />}
      {history !== null && <RowVersions kind="dashboard" id={history} onClose={() => setHistory(null)} />}
    </ListPage>
  )
}

/** Dashboards are where users look for a copy of all of their work. */
function ExportEverything() {
  const t = useTranslate()
  return (
    <Menu
      align="end"
      label={t('lists.more', 'More actions')}
      items={[
        {
          label: t('lists.exportEverything', 'Export everything'),
          icon: 'download',
          // A download, which does not leave the page.
          onSelect: () => location.assign('/api/v1/assets/export/'),
        },
      ]}
    >
      <IconButton icon="more" label={t('lists.more', 'More actions')} />
    </Menu>
  )
}
