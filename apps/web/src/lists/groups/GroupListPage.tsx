import { useTranslate } from '@parquetry/ui'
import { useMemo } from 'react'
import { usePage } from '../../shared/page.ts'
import { can } from '../../shared/rights.ts'
import { ListPage } from '../ListPage.tsx'
import { groups } from '../pages.ts'
import { GroupDialog } from './GroupDialog.tsx'
import { groupList } from './group-list.tsx'

/** `?new=true` opens the form of a new group, `?edit=3` that of an existing one. */
export function GroupListPage() {
  const t = useTranslate()
  const mayWrite = can('can_put', 'Group')
  const mayDelete = can('can_delete', 'Group')
  const definition = useMemo(() => groupList(t, { mayWrite, mayDelete }), [t, mayWrite, mayDelete])
  const { search, setSearch } = usePage(groups)
  const editing = /^\d+$/.test(search['edit'] ?? '') ? Number(search['edit']) : null
  return (
    <ListPage page={groups} definition={definition} onOpen={(dialog, id) => setSearch({ [dialog]: id })}>
      {search['new'] === 'true' && can('can_post', 'Group') && (
        <GroupDialog id={null} onClose={() => setSearch({ new: null })} />
      )}
      {mayWrite && editing !== null && (
        <GroupDialog key={editing} id={editing} onClose={() => setSearch({ edit: null })} />
      )}
    </ListPage>
  )
}
