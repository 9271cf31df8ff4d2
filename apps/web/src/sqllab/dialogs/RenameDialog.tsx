import { Button, Dialog, Field, TextInput, useText } from '@parquetry/ui'
import { useState } from 'react'
import type { QueryEditor } from '../state.ts'

export interface RenameDialogProps {
  tab: QueryEditor
  onClose(): void
  onName(name: string): void
}

export function RenameDialog({ tab, onClose, onName }: RenameDialogProps) {
  const t = useText()
  const [name, setName] = useState(tab.name)
  const missing = name.trim() === '' ? t('sqllab.rename.first', 'Give it a name first') : undefined
  const submit = (): void => {
    if (missing) return
    onName(name.trim())
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('sqllab.rename.title', 'Rename tab')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('sqllab.dialog.cancel', 'Cancel')}</Button>
          <Button variant="primary" type="submit" disabledReason={missing}>
            {t('sqllab.rename.rename', 'Rename')}
          </Button>
        </>
      }
    >
      <Field label={t('sqllab.rename.name', 'Name')} required>
        <TextInput value={name} onChange={setName} maxLength={256} data-autofocus />
      </Field>
    </Dialog>
  )
}
