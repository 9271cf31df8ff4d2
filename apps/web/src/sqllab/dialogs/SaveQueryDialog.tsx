import { Field, TextArea, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import type { Lab } from '../lab.ts'
import type { QueryEditor } from '../state.ts'
import { canEditTags } from '../../shared/tags/has-tags.ts'
import { TagsField } from '../../shared/tags/TagsField.tsx'
import { NameDialog } from '../../shared/NameDialog.tsx'
import { createQuery } from './save-query.ts'

export interface SaveQueryDialogProps {
  lab: Lab
  tab: QueryEditor
  onClose(): void
}

/** Name and description of a query that is saved for the first time, or once more under another name. */
export function SaveQueryDialog({ lab, tab, onClose }: SaveQueryDialogProps) {
  const t = useTranslate()
  const [name, setName] = useState(tab.name)
  const [description, setDescription] = useState(tab.description)
  const [tags, setTags] = useState<string[]>([])
  const [busy, setBusy] = useState(false)
  const submit = (given: string): void => {
    setBusy(true)
    const now = lab.store.getState().queryEditors.find(({ id }) => id === tab.id) ?? tab
    createQuery(lab, { ...now, name: given, description }, tags).then(onClose, () => setBusy(false))
  }
  return (
    <NameDialog
      title={t('sqllab.saveQuery.title', 'Save query')}
      name={name}
      onName={setName}
      action={t('sqllab.save', 'Save')}
      busy={busy}
      dirty={name !== tab.name || description !== tab.description || tags.length > 0}
      warning="SQLLAB_SAVE_WARNING_MESSAGE"
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t('sqllab.saveQuery.description', 'Description')}>
        <TextArea value={description} onChange={setDescription} rows={3} />
      </Field>
      {canEditTags && <TagsField value={tags} onChange={setTags} />}
    </NameDialog>
  )
}
