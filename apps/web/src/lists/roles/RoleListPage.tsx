import { useNavigation, useTranslate } from '@parquetry/ui'
import { useMemo } from 'react'
import { usePage } from '../../shared/page.ts'
import { useRoleName } from './use-role.ts'
import { ListPage } from '../ListPage.tsx'
import { roles } from '../pages.ts'
import { roleList } from './role-list.tsx'
import { RoleNameDialog, type RoleNaming } from './RoleNameDialog.tsx'

/** `?new=true` names a new role, `?duplicate=3` a copy of a role, `?rename=3` the role itself. */
export function RoleListPage() {
  const t = useTranslate()
  const { go } = useNavigation()
  const definition = useMemo(() => roleList(t), [t])
  const { search, setSearch } = usePage(roles)
  const kind = (['duplicate', 'rename'] as const).find((each) => /^\d{1,15}$/.test(search[each] ?? ''))
  const id = kind === undefined ? null : Number(search[kind])
  const name = useRoleName(id)
  const naming: RoleNaming | null =
    search['new'] === 'true'
      ? { kind: 'new' }
      : kind !== undefined && id !== null && name !== undefined
        ? { kind, id, name }
        : null
  const close = (): void => setSearch({ new: null, duplicate: null, rename: null })
  return (
    <ListPage page={roles} definition={definition} onOpen={(dialog, row) => setSearch({ [dialog]: row })}>
      {naming && (
        <RoleNameDialog
          key={`${naming.kind} ${id}`}
          naming={naming}
          onClose={close}
          onSaved={(saved) => (naming.kind === 'rename' ? close() : go(`/roles/${saved}`))}
        />
      )}
    </ListPage>
  )
}
