import { ApiError } from '@parquetry/client'
import {
  Button,
  Dialog,
  ErrorPanel,
  Field,
  MultiSelect,
  Skeleton,
  TextArea,
  TextInput,
  toast,
  userDisplayName,
  useTranslate,
} from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { loadSubjectsOfType } from '../../shared/subject-options.ts'
import { FormErrors, readFormErrors, formQueryOptions } from '../FormErrors.tsx'
import styles from '../lists.module.css'
import { AttributesField } from '../users/AttributesField.tsx'
import { findInvalidRow, fromDraft, toDraft } from '../users/attributes-draft.ts'

const columns = [
  'id',
  'name',
  'label',
  'description',
  'roles.id',
  'roles.name',
  'users.id',
  'users.username',
  'users.first_name',
  'users.last_name',
  'attributes',
  'changed_on',
] as const

/** Loads a group by its id; null loads nothing. The form keeps what it was opened with. */
const useGroup = (id: number | null) =>
  useQuery({
    queryKey: ['security/groups', 'item', id],
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/v1/security/groups/:id', {
          params: { id: String(id) },
          q: { columns: [...columns] },
          signal,
        })
      ).result,
    enabled: id !== null,
    ...formQueryOptions,
  })

type Group = NonNullable<ReturnType<typeof useGroup>['data']>

export interface GroupDialogProps {
  /** Id of the group to edit; null creates one. */
  id: number | null
  onClose(): void
}

export function GroupDialog({ id, onClose }: GroupDialogProps) {
  const t = useTranslate()
  const group = useGroup(id)
  if (id === null) return <Form group={null} onClose={onClose} />
  if (group.data)
    return (
      <Form key={group.data.changed_on} group={group.data} onClose={onClose} onReload={() => void group.refetch()} />
    )
  const isDeleted = group.error instanceof ApiError && group.error.status === 404
  return (
    <Dialog open width={720} title={t('lists.groups.edit', 'Edit group')} onClose={onClose}>
      {group.error ? (
        <ErrorPanel inline {...(!isDeleted && { onRetry: () => void group.refetch() })}>
          {isDeleted ? t('lists.groups.deleted', 'This group was deleted.') : messageOf(group.error)}
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

const fieldsOfForm = ['name', 'label', 'description', 'roles', 'users', 'attributes'] as const

interface FormProps {
  group: Group | null
  onClose(): void
  /** Reads the group again, which opens a new form. */
  onReload?: () => void
}

function Form({ group, onClose, onReload }: FormProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [initial] = useState(() => ({
    name: group?.name ?? '',
    label: group?.label ?? '',
    description: group?.description ?? '',
    roles: (group?.roles ?? []).map(({ id }) => String(id)),
    users: (group?.users ?? []).map(({ id }) => String(id)),
    attributes: toDraft(group?.attributes ?? {}),
  }))
  const [draft, setDraft] = useState(initial)
  const set = (change: Partial<typeof draft>): void => setDraft((before) => ({ ...before, ...change }))
  const dirty = JSON.stringify(draft) !== JSON.stringify(initial)
  const missing =
    draft.name.trim() === ''
      ? t('lists.nameMissing', 'Enter a name')
      : findInvalidRow(draft.attributes) >= 0
        ? t('lists.users.attributeMissing', 'Check the names of the attributes')
        : undefined
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        name: draft.name.trim(),
        label: draft.label.trim() || null,
        description: draft.description.trim() || null,
        roles: draft.roles.map(Number),
        users: draft.users.map(Number),
        attributes: fromDraft(draft.attributes),
      }
      if (!group) await api.post('/api/v1/security/groups/', { body })
      else
        await api.put('/api/v1/security/groups/:id', {
          params: { id: group.id },
          body: { ...body, changed_on: group.changed_on },
        })
    },
    onSuccess: async () => {
      toast(t('lists.saved', 'Saved: {name}', { name: draft.name.trim() }))
      onClose()
      await queries.invalidateQueries({ queryKey: ['security/groups'] })
    },
  })
  const { errorOf, isConflict, other } = readFormErrors(save.error, fieldsOfForm)
  return (
    <Dialog
      open
      width={720}
      title={group ? t('lists.groups.edit', 'Edit group') : t('lists.groups.new', 'New group')}
      dirty={dirty}
      onClose={onClose}
      onSubmit={() => missing === undefined && !save.isPending && (dirty ? save.mutate() : onClose())}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabledReason={missing}>
            {group ? t('lists.save', 'Save') : t('lists.make', 'Create')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <FormErrors
          isConflict={isConflict}
          other={other}
          conflictTitle={t('lists.groups.conflict', 'This group has changed')}
          onReload={onReload}
        />
        <div className={styles.two}>
          <Field label={t('lists.column.name', 'Name')} required error={errorOf('name')}>
            <TextInput value={draft.name} onChange={(name) => set({ name })} maxLength={100} data-autofocus />
          </Field>
          <Field label={t('lists.groups.label', 'Label')} error={errorOf('label')}>
            <TextInput value={draft.label} onChange={(label) => set({ label })} maxLength={150} />
          </Field>
        </div>
        <Field label={t('lists.description', 'Description')} error={errorOf('description')}>
          <TextArea
            value={draft.description}
            onChange={(description) => set({ description })}
            rows={2}
            maxLength={512}
          />
        </Field>
        <Field
          label={t('lists.users.roles', 'Roles')}
          help={t('lists.groups.rolesHelp', 'All members get these roles.')}
          error={errorOf('roles')}
        >
          <MultiSelect
            value={draft.roles}
            onChange={(roles) => set({ roles })}
            load={loadSubjectsOfType('role')}
            labelOf={(value) => group?.roles.find(({ id }) => String(id) === value)?.name}
          />
        </Field>
        <Field label={t('lists.groups.membersHeader', 'Members')} error={errorOf('users')}>
          <MultiSelect
            value={draft.users}
            onChange={(users) => set({ users })}
            load={loadSubjectsOfType('user')}
            labelOf={(value) => {
              const member = group?.users.find(({ id }) => String(id) === value)
              return member && userDisplayName(member)
            }}
          />
        </Field>
        <AttributesField
          value={draft.attributes}
          onChange={(attributes) => set({ attributes })}
          error={errorOf('attributes')}
        />
      </div>
    </Dialog>
  )
}
