import { ApiError } from '@parquetry/client'
import {
  Button,
  Dialog,
  ErrorPanel,
  Field,
  Skeleton,
  TextArea,
  TextInput,
  toast,
  useNavigation,
  useTranslate,
} from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import styles from '../lists.module.css'
import { useTag, type TagDetails } from './use-tag.ts'

export interface TagDialogProps {
  /** Id of the tag to edit; null creates one. */
  id: number | null
  onClose(): void
  /** Action of the message about a new tag. */
  savedAction?: (id: number) => { label: string; href: string }
}

/** Name and description of a tag. */
export function TagDialog({ id, onClose, savedAction }: TagDialogProps) {
  const t = useTranslate()
  const tag = useTag(id)
  if (id === null) return <Form tag={null} onClose={onClose} savedAction={savedAction} />
  if (tag.data) return <Form tag={tag.data} onClose={onClose} savedAction={savedAction} />
  return (
    <Dialog open title={t('tags.editTitle', 'Edit tag')} onClose={onClose}>
      {tag.error ? (
        <ErrorPanel inline onRetry={() => void tag.refetch()}>
          {messageOf(tag.error)}
        </ErrorPanel>
      ) : (
        <div className={styles.form} aria-busy="true">
          <Skeleton height={28} />
          <Skeleton height={84} />
        </div>
      )}
    </Dialog>
  )
}

interface FormProps {
  tag: TagDetails | null
  onClose(): void
  savedAction: TagDialogProps['savedAction']
}

function Form({ tag, onClose, savedAction }: FormProps) {
  const t = useTranslate()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const [name, setName] = useState(tag?.name ?? '')
  const [description, setDescription] = useState(tag?.description ?? '')
  const dirty = name !== (tag?.name ?? '') || description !== (tag?.description ?? '')
  const nameFault =
    name.trim() === ''
      ? t('lists.nameMissing', 'Enter a name')
      : name.includes(',')
        ? t('tags.comma', 'Names of tags cannot contain commas')
        : undefined
  const save = useMutation({
    mutationFn: async (): Promise<number> => {
      const body = { name: name.trim(), description: description.trim() || null }
      if (!tag) return (await api.post('/api/v1/tag/', { body })).id
      await api.put('/api/v1/tag/:id', { params: { id: tag.id }, body })
      return tag.id
    },
    onSuccess: async (id) => {
      const action = tag ? undefined : savedAction?.(id)
      toast(
        t('lists.saved', 'Saved: {name}', { name: name.trim() }),
        action ? { action: { label: action.label, run: () => go(action.href) } } : {},
      )
      onClose()
      // Lists show the names of tags.
      for (const resource of ['tag', 'chart', 'dashboard', 'dataset', 'saved_query'])
        await queries.invalidateQueries({ queryKey: [resource] })
    },
  })
  const fields = save.error instanceof ApiError ? save.error.fields : {}
  const other = save.error && !fields['name'] && !fields['description'] ? messageOf(save.error) : undefined
  return (
    <Dialog
      open
      title={tag ? t('tags.editTitle', 'Edit tag') : t('tags.new', 'New tag')}
      dirty={dirty}
      onClose={onClose}
      onSubmit={() => nameFault === undefined && !save.isPending && (dirty ? save.mutate() : onClose())}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabledReason={nameFault}>
            {tag ? t('lists.save', 'Save') : t('lists.make', 'Create')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {other && <ErrorPanel inline>{other}</ErrorPanel>}
        <Field
          label={t('lists.column.name', 'Name')}
          required
          error={(tag || name !== '' ? nameFault : undefined) ?? fields['name']?.[0]}
        >
          <TextInput value={name} onChange={setName} maxLength={250} data-autofocus />
        </Field>
        <Field label={t('lists.description', 'Description')} error={fields['description']?.[0]}>
          <TextArea value={description} onChange={setDescription} rows={3} />
        </Field>
      </div>
    </Dialog>
  )
}
