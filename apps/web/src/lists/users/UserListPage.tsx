import { Button, toast, toastError, userDisplayName, useTranslate } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { usePage } from '../../shared/page.ts'
import { can } from '../../shared/rights.ts'
import { ListPage } from '../ListPage.tsx'
import { users } from '../pages.ts'
import { EndAccountDialog } from './EndAccountDialog.tsx'
import { UserDialog } from './UserDialog.tsx'
import { userList, type UserRow } from './user-list.tsx'

const InvitationsDialog = lazyComponent(
  async () => (await import('../../account/admin/InvitationsDialog.tsx')).InvitationsDialog,
)
const UserAccess = lazyComponent(async () => (await import('./UserAccess.tsx')).UserAccess)

const readId = (text: string | undefined): number | null => (text && /^\d+$/.test(text) ? Number(text) : null)

/**
 * `?new=true` opens the form of a new user, `?invite=true` invitations, `?edit=3` the form of an existing user, `?access=3` how
 * they sign in, and `?deactivate=3`, `?delete=3` and `?transfer=3`
 * what ends an account.
 */
export function UserListPage() {
  const t = useTranslate()
  const queries = useQueryClient()
  const mayWrite = can('can_put', 'User')
  const mayDelete = can('can_delete', 'User')
  const definition = useMemo(() => {
    const activate = async (row: UserRow): Promise<void> => {
      try {
        await api.put('/api/v1/security/users/:id', { params: { id: row.id }, body: { active: true } })
        toast(t('lists.users.activated', 'Activated: {name}', { name: userDisplayName(row) }))
      } catch (error) {
        toastError(messageOf(error))
      }
      await queries.invalidateQueries({ queryKey: ['security/users'] })
    }
    return userList(t, { mayWrite, mayDelete, onActivate: (row) => void activate(row) })
  }, [t, queries, mayWrite, mayDelete])
  const { search, setSearch } = usePage(users)
  const mayCreate = can('can_post', 'User')
  const editing = readId(search['edit'])
  const access = readId(search['access'])
  const ending = (['deactivate', 'delete', 'transfer'] as const).find((action) => readId(search[action]) !== null)
  return (
    <ListPage
      page={users}
      definition={definition}
      onOpen={(dialog, id) => setSearch({ [dialog]: id })}
      actions={
        mayCreate && (
          <Button icon="link" onClick={() => setSearch({ invite: true })}>
            {t('lists.users.invite', 'Invite people')}
          </Button>
        )
      }
    >
      {search['new'] === 'true' && mayCreate && <UserDialog id={null} onClose={() => setSearch({ new: null })} />}
      {mayWrite && editing !== null && (
        <UserDialog key={editing} id={editing} onClose={() => setSearch({ edit: null })} />
      )}
      {search['invite'] === 'true' && mayCreate && (
        <Suspense>
          <InvitationsDialog onClose={() => setSearch({ invite: null })} />
        </Suspense>
      )}
      {mayWrite && access !== null && (
        <Suspense>
          <UserAccess id={access} onClose={() => setSearch({ access: null })} />
        </Suspense>
      )}
      {ending && (ending === 'delete' ? mayDelete : mayWrite) && (
        <EndAccountDialog id={Number(search[ending])} action={ending} onClose={() => setSearch({ [ending]: null })} />
      )}
    </ListPage>
  )
}
