import { Button, Dialog, ErrorPanel, Field, TextInput, useNavigation, useText } from '@parquetry/ui'
import { useState } from 'react'
import { api } from '../shared/api.ts'
import { messageOf } from '../shared/errors.ts'

export interface SaveDatasetDialogProps {
  onClose(): void
  database: number
  schema: string | null
  sql: string
}

/** DSET-030: the default name carries the day and time. */
export const datasetName = (now: Date): string => {
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${two(now.getMonth() + 1)}/${two(now.getDate())}/${now.getFullYear()}`
  return `Untitled Dataset ${day} ${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`
}

/** Keeps a query as a virtual dataset and opens Explore on it. */
export function SaveDatasetDialog({ onClose, database, schema, sql }: SaveDatasetDialogProps) {
  const t = useText()
  const { go } = useNavigation()
  const [name, setName] = useState(() => datasetName(new Date()))
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null })

  const save = async (): Promise<void> => {
    if (name.trim() === '') return
    setState({ busy: true, error: null })
    try {
      const { id } = await api.post<{ id: number }>('/api/v1/dataset/', {
        body: { database, schema, table_name: name.trim(), sql },
      })
      onClose()
      go(`/explore/?datasource_id=${id}&datasource_type=table`)
    } catch (error) {
      setState({ busy: false, error: messageOf(error) })
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('sqllab.dataset.title', 'Save as dataset')}
      width={480}
      onSubmit={() => void save()}
      footer={
        <>
          <Button onClick={onClose}>{t('sqllab.dataset.cancel', 'Cancel')}</Button>
          <Button
            variant="primary"
            type="submit"
            busy={state.busy}
            disabledReason={name.trim() === '' ? t('sqllab.dataset.nameFirst', 'Give it a name first') : undefined}
          >
            {t('sqllab.dataset.save', 'Save and explore')}
          </Button>
        </>
      }
    >
      {state.error && (
        <ErrorPanel inline title={t('sqllab.dataset.failed', 'An error occurred saving dataset')}>
          {state.error}
        </ErrorPanel>
      )}
      <Field label={t('sqllab.dataset.name', 'Name')} required>
        <TextInput value={name} onChange={setName} data-autofocus />
      </Field>
    </Dialog>
  )
}
