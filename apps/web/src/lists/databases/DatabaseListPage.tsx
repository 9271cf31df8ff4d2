import { useTranslate } from '@parquetry/ui'
import { useMemo } from 'react'
import { usePage } from '../../shared/page.ts'
import { can } from '../../shared/rights.ts'
import { ListPage } from '../ListPage.tsx'
import { databases } from '../pages.ts'
import { ConnectDialog } from './ConnectDialog.tsx'
import { databaseList } from './database-list.tsx'
import { EditConnection } from './EditConnection.tsx'
import { canManageAccess, RolesDialog } from './RolesDialog.tsx'

/** `?show_database_modal=true` opens the connect dialog, `?edit=3` the form of a connection, `?roles=3` its access. */
export function DatabaseListPage() {
  const t = useTranslate()
  const mayWrite = can('can_write', 'Database')
  const definition = useMemo(() => databaseList(t, mayWrite), [t, mayWrite])
  const { search, setSearch } = usePage(databases)
  const idAt = (name: 'edit' | 'roles'): number | null =>
    /^\d+$/.test(search[name] ?? '') ? Number(search[name]) : null
  const [editing, sharing] = [idAt('edit'), idAt('roles')]
  return (
    <ListPage page={databases} definition={definition} onOpen={(dialog, id) => setSearch({ [dialog]: id })}>
      {mayWrite && search['show_database_modal'] === 'true' && (
        <ConnectDialog onClose={() => setSearch({ show_database_modal: null })} />
      )}
      {mayWrite && editing !== null && (
        <EditConnection key={editing} id={editing} onClose={() => setSearch({ edit: null })} />
      )}
      {canManageAccess && sharing !== null && (
        <RolesDialog key={sharing} id={sharing} onClose={() => setSearch({ roles: null })} />
      )}
    </ListPage>
  )
}
