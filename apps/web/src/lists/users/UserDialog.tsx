import { ApiError } from '@parquetry/client'
import {
  Button,
  Dialog,
  ErrorPanel,
  Field,
  MultiSelect,
  PasswordInput,
  Skeleton,
  TextInput,
  toast,
  userDisplayName,
  useTranslate,
} from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { passwordLengthRule } from '../../shared/password-policy.ts'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { formatDateTime } from '../../shared/formats.ts'
import { loadSubjectsOfType } from '../../shared/subject-options.ts'
import { FormErrors, readFormErrors } from '../FormErrors.tsx'
import styles from '../lists.module.css'
import { AttributesField } from './AttributesField.tsx'
import { findInvalidRow, fromDraft, toDraft } from './attributes-draft.ts'
import { OwnedContentList } from './OwnedContentList.tsx'
import { useUser, type User } from './use-user.ts'
import userStyles from './users.module.css'

export interface UserDialogProps {
  /** Id of the user to edit; null creates one. */
  id: number | null
  onClose(): void
}

export function UserDialog({ id, onClose }: UserDialogProps) {
  const t = useTranslate()
  const user = useUser(id)
  if (id === null) return <Form user={null} onClose={onClose} />
  if (user.data)
    return <Form key={user.data.changed_on} user={user.data} onClose={onClose} onReload={() => void user.refetch()} />
  const isDeleted = user.error instanceof ApiError && user.error.status === 404
  return (
    <Dialog open width={720} title={t('lists.users.edit', 'Edit user')} onClose={onClose}>
      {user.error ? (
        <ErrorPanel inline {...(!isDeleted && { onRetry: () => void user.refetch() })}>
          {isDeleted ? t('lists.users.deleted', 'This user was deleted.') : messageOf(user.error)}
        </ErrorPanel>
      ) : (
        <div className={styles.form} aria-busy="true">
          <Skeleton height={28} />
          <Skeleton height={28} />
          <Skeleton height={84} />
        </div>
      )}
    </Dialog>
  )
}

const fieldsOfForm = [
  'first_name',
  'last_name',
  'username',
  'email',
  'password',
  'roles',
  'groups',
  'attributes',
] as const

const toIds = (items: readonly { id: number }[]): string[] => items.map(({ id }) => String(id))

interface FormProps {
  user: User | null
  onClose(): void
  /** Reads the user again, which opens a new form. */
  onReload?: () => void
}

function Form({ user, onClose, onReload }: FormProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [initial] = useState(() => ({
    first_name: user?.first_name ?? '',
    last_name: user?.last_name ?? '',
    username: user?.username ?? '',
    email: user?.email ?? '',
    password: '',
    roles: toIds(user?.roles ?? []),
    groups: toIds(user?.groups ?? []),
    attributes: toDraft(user?.attributes ?? {}),
  }))
  const [draft, setDraft] = useState(initial)
  const set = (change: Partial<typeof draft>): void => setDraft((before) => ({ ...before, ...change }))
  const dirty = JSON.stringify(draft) !== JSON.stringify(initial)
  const isChanged = (field: keyof typeof draft): boolean =>
    JSON.stringify(draft[field]) !== JSON.stringify(initial[field])
  const missing =
    draft.first_name.trim() === ''
      ? t('lists.users.firstNameMissing', 'Enter a first name')
      : draft.username.trim() === ''
        ? t('lists.users.usernameMissing', 'Enter a username')
        : (user === null || isChanged('email')) && draft.email.trim() === ''
          ? t('lists.users.emailMissing', 'Enter an email address')
          : user === null && draft.password === ''
            ? t('lists.users.passwordMissing', 'Enter a password')
            : draft.roles.length + draft.groups.length === 0
              ? t('lists.users.roleMissing', 'Select at least one role or group')
              : findInvalidRow(draft.attributes) >= 0
                ? t('lists.users.attributeMissing', 'Check the names of the attributes')
                : undefined
  const name = userDisplayName({ ...draft })
  const save = useMutation({
    mutationFn: async () => {
      const values = {
        first_name: draft.first_name.trim(),
        last_name: draft.last_name.trim(),
        username: draft.username.trim(),
        email: draft.email.trim(),
        password: draft.password,
        roles: draft.roles.map(Number),
        groups: draft.groups.map(Number),
        attributes: fromDraft(draft.attributes),
      }
      if (!user) {
        await api.post('/api/v1/security/users/', { body: values })
        return
      }
      // Only what was changed here, so that the rest stays as others left it.
      const body = Object.fromEntries(
        Object.entries(values).filter(([field]) => isChanged(field as keyof typeof values)),
      )
      await api.put('/api/v1/security/users/:id', {
        params: { id: user.id },
        body: { ...body, changed_on: user.changed_on },
      })
    },
    onSuccess: async () => {
      toast(t('lists.saved', 'Saved: {name}', { name }))
      onClose()
      await queries.invalidateQueries({ queryKey: ['security/users'] })
    },
  })
  const { errorOf, isConflict, other } = readFormErrors(save.error, fieldsOfForm)
  const nameOf = (items: readonly { id: number; name: string }[] | undefined) => (value: string) =>
    items?.find(({ id }) => String(id) === value)?.name
  return (
    <Dialog
      open
      width={720}
      title={user ? t('lists.users.edit', 'Edit user') : t('lists.users.new', 'New user')}
      dirty={dirty}
      onClose={onClose}
      onSubmit={() => missing === undefined && !save.isPending && (dirty ? save.mutate() : onClose())}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabledReason={missing}>
            {user ? t('lists.save', 'Save') : t('lists.make', 'Create')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <FormErrors
          isConflict={isConflict}
          other={other}
          conflictTitle={t('lists.users.conflict', 'This user has changed')}
          onReload={onReload}
        />
        <div className={styles.two}>
          <Field label={t('lists.users.firstName', 'First name')} required error={errorOf('first_name')}>
            <TextInput
              value={draft.first_name}
              onChange={(first_name) => set({ first_name })}
              maxLength={64}
              autoComplete="off"
              data-autofocus
            />
          </Field>
          <Field label={t('lists.users.lastName', 'Last name')} error={errorOf('last_name')}>
            <TextInput
              value={draft.last_name}
              onChange={(last_name) => set({ last_name })}
              maxLength={64}
              autoComplete="off"
            />
          </Field>
        </div>
        <div className={styles.two}>
          <Field label={t('lists.users.username', 'Username')} required error={errorOf('username')}>
            <TextInput
              value={draft.username}
              onChange={(username) => set({ username })}
              maxLength={250}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
          <Field label={t('lists.users.email', 'Email address')} required error={errorOf('email')}>
            <TextInput
              type="email"
              value={draft.email}
              onChange={(email) => set({ email })}
              maxLength={320}
              autoComplete="off"
            />
          </Field>
        </div>
        <Field
          label={user ? t('lists.users.newPassword', 'New password') : t('lists.users.password', 'Password')}
          required={user === null}
          help={
            user
              ? t('lists.users.newPasswordHelp', 'Leave it empty to keep the password. A new one ends all sessions.')
              : passwordLengthRule(t)
          }
          error={errorOf('password')}
        >
          <PasswordInput
            value={draft.password}
            onChange={(password) => set({ password })}
            autoComplete="new-password"
          />
        </Field>
        <Field
          label={t('lists.users.roles', 'Roles')}
          help={t('lists.users.rolesHelp', 'What the user can do, in addition to the roles of their groups.')}
          error={errorOf('roles')}
        >
          <MultiSelect
            value={draft.roles}
            onChange={(roles) => set({ roles })}
            load={loadSubjectsOfType('role')}
            labelOf={nameOf(user?.roles)}
          />
        </Field>
        <Field label={t('lists.users.groups', 'Groups')} error={errorOf('groups')}>
          <MultiSelect
            value={draft.groups}
            onChange={(groups) => set({ groups })}
            load={loadSubjectsOfType('group')}
            labelOf={nameOf(user?.groups)}
          />
        </Field>
        <AttributesField
          value={draft.attributes}
          onChange={(attributes) => set({ attributes })}
          error={errorOf('attributes')}
        />
        {user && <Facts user={user} />}
      </div>
    </Dialog>
  )
}

function Facts({ user }: { user: User }) {
  const t = useTranslate()
  const format = (time: string): string => formatDateTime(new Date(`${time}Z`))
  return (
    <>
      <section className={userStyles.part}>
        <h3>{t('lists.users.owns', 'Owns')}</h3>
        <OwnedContentList id={user.id} />
      </section>
      <section className={userStyles.part}>
        <h3>{t('lists.users.activity', 'Activity')}</h3>
        <dl className={userStyles.facts}>
          <dt>{t('lists.users.created', 'Created')}</dt>
          <dd>{format(user.created_on)}</dd>
          <dt>{t('lists.users.lastSignIn', 'Last sign-in')}</dt>
          <dd>{user.last_login === null ? t('lists.users.never', 'Never') : format(user.last_login)}</dd>
          <dt>{t('lists.users.signIns', 'Sign-ins')}</dt>
          <dd>
            {user.fail_login_count > 0
              ? t('lists.users.signInsFailed', '{count, number}, and {failed, number} failed since the last one', {
                  count: user.login_count,
                  failed: user.fail_login_count,
                })
              : t('lists.users.signInCount', '{count, number}', { count: user.login_count })}
          </dd>
        </dl>
      </section>
    </>
  )
}
