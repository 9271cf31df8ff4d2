import { Button, Dialog, Field, TextInput, useText } from '@parquetry/ui'
import { useState } from 'react'

export interface CreateAsDialogProps {
  method: 'TABLE' | 'VIEW'
  onClose(): void
  onCreate(name: string): void
}

export function CreateAsDialog({ method, onClose, onCreate }: CreateAsDialogProps) {
  const t = useText()
  const [name, setName] = useState('')
  const missing = name.trim() === '' ? t('sqllab.rename.first', 'Give it a name first') : undefined
  const isTable = method === 'TABLE'
  const submit = (): void => {
    if (missing) return
    onCreate(name.trim())
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={isTable ? t('sqllab.createAs.table', 'Create table as') : t('sqllab.createAs.view', 'Create view as')}
      description={t(
        'sqllab.createAs.text',
        'The database keeps what the query answers under this name, in the schema of the tab or the one that its owner chose.',
      )}
      dirty={name !== ''}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('sqllab.dialog.cancel', 'Cancel')}</Button>
          <Button variant="primary" type="submit" disabledReason={missing}>
            {isTable
              ? t('sqllab.createAs.createTable', 'Create table')
              : t('sqllab.createAs.createView', 'Create view')}
          </Button>
        </>
      }
    >
      <Field
        label={isTable ? t('sqllab.createAs.tableName', 'Table name') : t('sqllab.createAs.viewName', 'View name')}
        required
      >
        <TextInput value={name} onChange={setName} mono data-autofocus />
      </Field>
    </Dialog>
  )
}
