import { Button, Dialog, ErrorPanel, Field, TextInput, toast, useText } from '@parquetry/ui'
import { useState } from 'react'
import { createDataset } from '../shared/dataset-calls.ts'
import { messageOf } from '../shared/errors.ts'
import type { DatasetDocument } from './use-explore.ts'

export interface SaveDatasetDialogProps {
  open: boolean
  onClose(): void
  dataset: DatasetDocument
  /** The SQL of the chart's question. */
  readSql(): Promise<string>
}

/** Keeps the chart's question as a dataset of its own, which other charts can ask. */
export function SaveDatasetDialog({ open, onClose, dataset, readSql }: SaveDatasetDialogProps) {
  const t = useText()
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  const save = async (): Promise<void> => {
    const given = name.trim()
    if (given === '') return
    setBusy(true)
    setError(null)
    try {
      const sql = (await readSql()).trim().replace(/;$/, '')
      await createDataset(given, { database: dataset.database.id, schema: dataset.schema, sql })
      toast(t('explore.dataset.saved', 'The dataset {name} has been saved', { name: given }))
      onClose()
    } catch (failure) {
      setError(messageOf(failure))
      setBusy(false)
    }
  }
  const nameless = name.trim() === '' ? t('explore.dataset.first', 'Give the dataset a name first') : undefined
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('explore.dataset.title', 'Save as dataset')}
      width={480}
      onSubmit={() => void save()}
      footer={
        <>
          <Button onClick={onClose}>{t('explore.popover.cancel', 'Cancel')}</Button>
          <Button variant="primary" type="submit" busy={busy} disabledReason={nameless}>
            {t('explore.popover.save', 'Save')}
          </Button>
        </>
      }
    >
      {error && <ErrorPanel inline>{error}</ErrorPanel>}
      <Field label={t('explore.dataset.name', 'Dataset name')} required>
        <TextInput data-autofocus value={name} onChange={setName} />
      </Field>
    </Dialog>
  )
}
