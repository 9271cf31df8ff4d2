import { Button, Dialog, ErrorPanel, Field, Select, toast, userDisplayName, useTranslate } from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { loadSubjectsOfType } from '../../shared/subject-options.ts'
import styles from '../lists.module.css'
import { OwnedContentList } from './OwnedContentList.tsx'
import { useOwnedContent, useUser } from './use-user.ts'
import userStyles from './users.module.css'

export interface EndAccountDialogProps {
  id: number
  action: 'deactivate' | 'delete' | 'transfer'
  onClose(): void
}

/** Says what ends with an account, offers to hand over what the user owns, and deactivates or deletes the user. */
export function EndAccountDialog({ id, action, onClose }: EndAccountDialogProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const user = useUser(id)
  const owned = useOwnedContent(id)
  const [receiver, setReceiver] = useState<string | null>(null)
  const ownsContent = owned.data !== undefined && owned.data.length > 0
  const name = user.data ? userDisplayName(user.data) : '…'
  const end = useMutation({
    mutationFn: async () => {
      // Access ends first, so that a refusal changes nothing.
      if (action === 'deactivate')
        await api.put('/api/v1/security/users/:id', { params: { id }, body: { active: false } })
      if (receiver !== null && ownsContent)
        await api.post('/api/v1/security/users/:id/transfer', { params: { id }, body: { to: Number(receiver) } })
      if (action === 'delete') await api.del('/api/v1/security/users/:id', { params: { id } })
    },
    onSuccess: () => {
      toast(
        {
          deactivate: t('lists.users.deactivated', 'Deactivated: {name}', { name }),
          delete: t('lists.deleted', 'Deleted: {names}', { names: name }),
          transfer: t('lists.users.transferred', 'Handed over what {name} owned', { name }),
        }[action],
      )
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['security/users'] }),
  })
  const texts = {
    deactivate: {
      title: t('lists.users.deactivateTitle', 'Deactivate {name}?', { name }),
      button: t('lists.users.deactivate', 'Deactivate'),
    },
    delete: {
      title: t('lists.users.deleteTitle', 'Delete {name}?', { name }),
      button: t('lists.users.deleteAction', 'Delete user'),
    },
    transfer: {
      title: t('lists.users.transferTitle', 'Hand over what {name} owns', { name }),
      button: t('lists.users.transferAction', 'Hand over'),
    },
  }[action]
  const missing =
    owned.data === undefined
      ? t('lists.users.ownedLoading', 'Loading what the user owns…')
      : ownsContent && receiver === null && action !== 'deactivate'
        ? t('lists.users.receiverMissing', 'Select the new owner')
        : !ownsContent && action === 'transfer'
          ? t('lists.users.owned.nothing', 'This user owns nothing.')
          : undefined
  const error = end.error ?? user.error
  return (
    <Dialog
      open
      title={texts.title}
      onClose={onClose}
      dirty={receiver !== null}
      onSubmit={() => missing === undefined && !end.isPending && end.mutate()}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
          <Button
            type="submit"
            variant={action === 'transfer' ? 'primary' : 'danger'}
            busy={end.isPending}
            disabledReason={missing}
          >
            {texts.button}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {error && <ErrorPanel inline>{messageOf(error)}</ErrorPanel>}
        {action !== 'transfer' && (
          <ul className={userStyles.consequences}>
            <li>{t('lists.users.endsSessions', 'All sessions and API keys stop working at once.')}</li>
            <li>{t('lists.users.endsWork', 'Running queries are stopped, and scheduled queries no longer run.')}</li>
            <li>
              {action === 'deactivate'
                ? t('lists.users.staysOwner', 'Content stays, and you can activate the account again.')
                : t(
                    'lists.users.deletesAccount',
                    'Roles, groups, favorites and SQL Lab tabs are deleted. This cannot be undone.',
                  )}
            </li>
          </ul>
        )}
        <section className={userStyles.part}>
          <h3>{t('lists.users.owns', 'Owns')}</h3>
          <OwnedContentList id={id} />
        </section>
        {ownsContent && (
          <Field
            label={t('lists.users.receiver', 'New owner')}
            required={action !== 'deactivate'}
            help={
              action === 'deactivate'
                ? t('lists.users.receiverOptional', 'Without one, only administrators can change the content.')
                : t(
                    'lists.users.receiverHelp',
                    'Becomes the owner of everything above, and of deleted items in the trash.',
                  )
            }
          >
            <Select
              value={receiver}
              onChange={setReceiver}
              clearable
              load={async (...request) => {
                const page = await loadSubjectsOfType('user')(...request)
                return { ...page, options: page.options.filter(({ value }) => value !== String(id)) }
              }}
            />
          </Field>
        )}
      </div>
    </Dialog>
  )
}
