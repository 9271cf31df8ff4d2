import { useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import type { QueryEditor } from '../state.ts'
import { NameDialog } from '../../shared/NameDialog.tsx'

export interface RenameDialogProps {
  tab: QueryEditor
  onClose(): void
  onName(name: string): void
}

export function RenameDialog({ tab, onClose, onName }: RenameDialogProps) {
  const t = useTranslate()
  const [name, setName] = useState(tab.name)
  return (
    <NameDialog
      title={t('sqllab.rename.title', 'Rename tab')}
      name={name}
      onName={setName}
      action={t('sqllab.rename.rename', 'Rename')}
      onClose={onClose}
      onSubmit={(given) => {
        onName(given)
        onClose()
      }}
    />
  )
}
