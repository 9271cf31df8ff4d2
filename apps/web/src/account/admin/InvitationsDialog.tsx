import { ApiError } from '@parquetry/client'
import type { Invitation } from '@parquetry/model'
import {
  Banner,
  Button,
  confirm,
  Dialog,
  ErrorPanel,
  Field,
  MultiSelect,
  Select,
  TextInput,
  toast,
  toastError,
  useTranslate,
} from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { loadSubjectsOfType } from '../../shared/subject-options.ts'
import { AccountSection } from '../AccountSection.tsx'
import { OneTimeSecret } from '../OneTimeSecret.tsx'
import { SectionBody } from '../SectionBody.tsx'
import { formatStoredDateTime } from '../stored-time.ts'
import { EmailedLink } from './EmailedLink.tsx'
import styles from '../account.module.css'

const queryKey = ['account', 'invitations']
const lifetimes = [24, 72, 168, 720] as const

/** Invites people by link, and lists the invitations that are not accepted yet. */
export function InvitationsDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const queries = useQueryClient()
  const empty = {
    first_name: '',
    last_name: '',
    email: '',
    username: '',
    roles: [] as string[],
    groups: [] as string[],
  }
  const [draft, setDraft] = useState(empty)
  const [hours, setHours] = useState<number>(72)
  const set = (change: Partial<typeof draft>): void => setDraft((before) => ({ ...before, ...change }))
  const create = useMutation({
    mutationFn: async () => {
      const { roles, groups, username, ...names } = draft
      const { result } = await api.post('/api/v1/security/invitations/', {
        body: {
          ...names,
          username: username.trim() || null,
          roles: roles.map(Number),
          groups: groups.map(Number),
          expires_in_hours: hours,
        },
      })
      return result
    },
    onSuccess: async () => {
      // The same roles and groups are likely to be used for the next person.
      set({ first_name: '', last_name: '', email: '', username: '' })
      await queries.invalidateQueries({ queryKey })
    },
  })
  const fields = create.error instanceof ApiError ? create.error.fields : {}
  const errorOf = (field: keyof typeof empty): string | undefined => fields[field]?.[0]
  const isOther = create.error && !(Object.keys(empty) as (keyof typeof empty)[]).some(errorOf)
  const missing =
    draft.roles.length + draft.groups.length === 0
      ? t('account.invite.grantMissing', 'Select at least one role or group')
      : undefined
  const isDirty = [draft.first_name, draft.last_name, draft.email, draft.username].some((text) => text !== '')
  return (
    <Dialog
      open
      width={720}
      title={t('account.invite.title', 'Invite people')}
      description={t(
        'account.invite.text',
        'The person opens the link, chooses a password and is signed in. With a mail server and an address, the link is sent by email too.',
      )}
      dirty={isDirty}
      onClose={onClose}
      onSubmit={() => missing === undefined && !create.isPending && create.mutate()}
      footer={
        <>
          <Button onClick={onClose}>{t('account.close', 'Close')}</Button>
          <Button type="submit" variant="primary" busy={create.isPending} disabledReason={missing}>
            {t('account.invite.create', 'Create invitation')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {create.data && (
          <>
            <Banner inline tone="warning">
              {t('account.link.once', 'Copy the link now. It is not shown again.')}
            </Banner>
            <EmailedLink {...create.data} />
            <OneTimeSecret
              key={create.data.uuid}
              label={t('account.invite.link', 'Invitation for {name}', { name: invitedName(create.data) })}
              value={create.data.link}
              copied={t('account.link.copied', 'Link copied')}
            />
          </>
        )}
        {isOther && <ErrorPanel inline>{messageOf(create.error)}</ErrorPanel>}
        <div className={styles.columns}>
          <Field label={t('account.invite.roles', 'Roles')} error={errorOf('roles')}>
            <MultiSelect value={draft.roles} onChange={(roles) => set({ roles })} load={loadSubjectsOfType('role')} />
          </Field>
          <Field label={t('account.invite.groups', 'Groups')} error={errorOf('groups')}>
            <MultiSelect
              value={draft.groups}
              onChange={(groups) => set({ groups })}
              load={loadSubjectsOfType('group')}
            />
          </Field>
          <Field label={t('account.firstName', 'First name')} error={errorOf('first_name')}>
            <TextInput value={draft.first_name} onChange={(first_name) => set({ first_name })} maxLength={64} />
          </Field>
          <Field label={t('account.lastName', 'Last name')} error={errorOf('last_name')}>
            <TextInput value={draft.last_name} onChange={(last_name) => set({ last_name })} maxLength={64} />
          </Field>
          <Field label={t('account.email', 'Email')} error={errorOf('email')}>
            <TextInput value={draft.email} onChange={(email) => set({ email })} maxLength={320} inputMode="email" />
          </Field>
          <Field
            label={t('account.username', 'Username')}
            error={errorOf('username')}
            help={t('account.invite.usernameHelp', 'Without one, the person chooses it.')}
          >
            <TextInput
              value={draft.username}
              onChange={(username) => set({ username })}
              maxLength={250}
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Field label={t('account.key.expiry', 'Expires')}>
            <Select
              value={hours}
              onChange={(value) => setHours(value ?? 72)}
              options={lifetimes.map((value) => ({
                value,
                label: t('account.invite.days', '{days, plural, one {After # day} other {After # days}}', {
                  days: value / 24,
                }),
              }))}
            />
          </Field>
        </div>
        <OpenInvitations />
      </div>
    </Dialog>
  )
}

const invitedName = ({ first_name, last_name, username, email }: Invitation): string =>
  [first_name, last_name].filter(Boolean).join(' ') || username || email || '–'

function OpenInvitations() {
  const t = useTranslate()
  const queries = useQueryClient()
  const invitations = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api.get('/api/v1/security/invitations/', { signal })).result,
  })
  const revoke = async ({ uuid }: Invitation): Promise<void> => {
    const isConfirmed = await confirm({
      title: t('account.invite.revokeTitle', 'Revoke this invitation?'),
      body: t('account.invite.revokeBody', 'Its link stops working.'),
      action: t('account.key.revoke', 'Revoke'),
      danger: true,
    })
    if (!isConfirmed) return
    try {
      await api.del('/api/v1/security/invitations/:uuid', { params: { uuid } })
      toast(t('account.invite.revoked', 'Invitation revoked'))
    } catch (error) {
      toastError(messageOf(error))
    }
    await queries.invalidateQueries({ queryKey })
  }
  if (invitations.data?.length === 0) return null
  const title = t('account.invite.open', 'Not accepted yet')
  return (
    <AccountSection title={title}>
      <SectionBody query={invitations}>
        {(result) => (
          <ul className={styles.list} aria-label={title}>
            {result.map((invitation) => (
              <li key={invitation.uuid}>
                <div className={styles.entry}>
                  <div className={styles.name}>{invitedName(invitation)}</div>
                  <p className={styles.facts}>
                    {invitation.email && <span>{invitation.email}</span>}
                    <span>{[...invitation.roles, ...invitation.groups].map(({ name }) => name).join(', ')}</span>
                    <span>
                      {t('account.expires', 'Expires {date}', { date: formatStoredDateTime(invitation.expires_on) })}
                    </span>
                  </p>
                </div>
                <Button onClick={() => void revoke(invitation)}>{t('account.key.revoke', 'Revoke')}</Button>
              </li>
            ))}
          </ul>
        )}
      </SectionBody>
    </AccountSection>
  )
}
