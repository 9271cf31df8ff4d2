import { useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { NameDialog } from '../../shared/NameDialog.tsx'

export interface CreateAsDialogProps {
  method: 'TABLE' | 'VIEW'
  onClose(): void
  onCreate(name: string): void
}

export function CreateAsDialog({ method, onClose, onCreate }: CreateAsDialogProps) {
  const t = useTranslate()
  const [name, setName] = useState('')
  const isTable = method === 'TABLE'
  return (
    <NameDialog
      title={isTable ? t('sqllab.createAs.table', 'Create table as') : t('sqllab.createAs.view', 'Create view as')}
      description={t(
        'sqllab.createAs.text',
        'The query result is saved under this name in the tab’s schema, or in the schema set for this database.',
      )}
      label={isTable ? t('sqllab.createAs.tableName', 'Table name') : t('sqllab.createAs.viewName', 'View name')}
      name={name}
      onName={setName}
      mono
      dirty={name !== ''}
      action={
        isTable ? t('sqllab.createAs.createTable', 'Create table') : t('sqllab.createAs.createView', 'Create view')
      }
      onClose={onClose}
      onSubmit={(given) => {
        onCreate(given)
        onClose()
      }}
    />
  )
}
