import { Button, Dialog, Field, Strip, TextArea, TextInput, useText } from '@parquetry/ui'
import { useState } from 'react'
import { boot } from '../../shared/boot.ts'
import type { Lab } from '../lab.ts'
import type { QueryEditor } from '../state.ts'
import { createQuery } from './save-query.ts'

export interface SaveQueryDialogProps {
  lab: Lab
  tab: QueryEditor
  onClose(): void
}

/** Name and description of a query that is saved for the first time, or once more under another name. */
export function SaveQueryDialog({ lab, tab, onClose }: SaveQueryDialogProps) {
  const t = useText()
  const [name, setName] = useState(tab.name)
  const [description, setDescription] = useState(tab.description)
  const [tags, setTags] = useState('')
  const hasTags = boot.common.feature_flags['TAGGING_SYSTEM'] === true
  const [busy, setBusy] = useState(false)
  const warning = boot.common.conf['SQLLAB_SAVE_WARNING_MESSAGE']
  const missing = name.trim() === '' ? t('sqllab.rename.first', 'Give it a name first') : undefined
  const submit = (): void => {
    if (missing || busy) return
    setBusy(true)
    const now = lab.store.getState().queryEditors.find(({ id }) => id === tab.id) ?? tab
    const wanted = tags
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean)
    createQuery(lab, { ...now, name: name.trim(), description }, wanted).then(onClose, () => setBusy(false))
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('sqllab.saveQuery.title', 'Save query')}
      dirty={name !== tab.name || description !== tab.description || tags !== ''}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('sqllab.dialog.cancel', 'Cancel')}</Button>
          <Button variant="primary" type="submit" busy={busy} disabledReason={missing}>
            {t('sqllab.save', 'Save')}
          </Button>
        </>
      }
    >
      {typeof warning === 'string' && warning !== '' && (
        <Strip tone="warning" banner>
          {warning}
        </Strip>
      )}
      <Field label={t('sqllab.rename.name', 'Name')} required>
        <TextInput value={name} onChange={setName} maxLength={256} data-autofocus />
      </Field>
      <Field label={t('sqllab.saveQuery.description', 'Description')}>
        <TextArea value={description} onChange={setDescription} rows={3} />
      </Field>
      {hasTags && (
        <Field label={t('sqllab.saveQuery.tags', 'Tags')} help={t('sqllab.saveQuery.tagsHelp', 'Separated by commas')}>
          <TextInput value={tags} onChange={setTags} />
        </Field>
      )}
    </Dialog>
  )
}
