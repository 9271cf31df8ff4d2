import { Button, Checkbox, Dialog, ErrorPanel, Skeleton, toast, useTranslate } from '@parquetry/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { can } from '../../shared/rights.ts'
import styles from './connect.module.css'

/** Users who may edit roles may grant access to a database. */
export const canManageAccess = can('can_edit', 'RoleModelView')

/** Selects the roles with access to the entire database. Changes apply from the next request of their users. */
export function RolesDialog({ id, onClose }: { id: number; onClose(): void }) {
  const t = useTranslate()
  const [chosen, setChosen] = useState<ReadonlySet<number> | null>(null)
  const roles = useQuery({
    queryKey: ['database', 'roles', id],
    queryFn: ({ signal }) => api.get('/api/v1/database/:id/roles/', { params: { id }, signal }),
    gcTime: 0,
    retry: false,
  })
  const granted = new Set(roles.data?.result.filter(({ access }) => access === 'granted').map((role) => role.id))
  const ticked = chosen ?? granted
  const save = useMutation({
    mutationFn: () => api.put('/api/v1/database/:id/roles/', { params: { id }, body: { roles: [...ticked] } }),
    onSuccess: () => {
      toast(t('lists.roles.saved', 'Access updated'))
      onClose()
    },
  })
  const error = save.error ?? roles.error
  return (
    <Dialog
      open
      title={t('lists.roles.title', 'Manage access')}
      description={t(
        'lists.roles.help',
        'Users with a selected role can read every table in this database. Row-level security rules still apply.',
      )}
      dirty={chosen !== null}
      onClose={onClose}
      onSubmit={() => save.mutate()}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
          <Button
            variant="primary"
            type="submit"
            busy={save.isPending}
            disabledReason={chosen ? undefined : t('lists.roles.unchanged', 'No changes to save')}
          >
            {t('lists.save', 'Save')}
          </Button>
        </>
      }
    >
      {error && <ErrorPanel inline>{messageOf(error)}</ErrorPanel>}
      {roles.isPending ? (
        <Skeleton height={160} />
      ) : (
        <div className={styles.roles} role="group" aria-label={t('lists.roles.group', 'Roles')}>
          {roles.data?.result.map(({ id: role, name, users, access }) => (
            <Checkbox
              key={role}
              label={name}
              help={
                access === 'all'
                  ? t('lists.roles.all', 'Can read every database')
                  : name === 'Public'
                    ? t('lists.roles.public', 'Users who are not signed in')
                    : t('lists.roles.users', '{users, plural, =0 {No users} one {# user} other {# users}}', {
                        users,
                      })
              }
              checked={access === 'all' || ticked.has(role)}
              disabled={access === 'all'}
              onChange={(isOn) => {
                const next = new Set(ticked)
                if (isOn) next.add(role)
                else next.delete(role)
                setChosen(next)
              }}
            />
          ))}
        </div>
      )}
    </Dialog>
  )
}
