import type { FilterSet } from '@parquetry/model'
import { Button, Checkbox, Dialog, Field, TextInput, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import styles from './FilterConfig.module.css'

interface FilterSetNameDialogProps {
  /** Filter set to rename; null for a new one. */
  before: FilterSet | null
  mayShare: boolean
  isBusy: boolean
  onClose(): void
  onSave(name: string, isShared: boolean): void
}

/** Dialog for the name of a filter set and, for a new one, whether it is shared. */
export function FilterSetNameDialog({ before, mayShare, isBusy, onClose, onSave }: FilterSetNameDialogProps) {
  const t = useTranslate()
  const [name, setName] = useState(before?.name ?? '')
  const [isShared, setShared] = useState(false)
  const [wasTried, setTried] = useState(false)
  const missing = wasTried && !name.trim() ? t('dashboard.nameNeeded', 'Enter a name') : undefined
  return (
    <Dialog
      open
      title={before ? t('dashboard.renameSetTitle', 'Rename filter set') : t('dashboard.newSet', 'New filter set')}
      dirty={name.trim() !== (before?.name ?? '')}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (name.trim()) onSave(name.trim(), isShared)
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('dashboard.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t('dashboard.save', 'Save')}
          </Button>
        </>
      }
    >
      <div className={styles.scopes}>
        <Field label={t('dashboard.name', 'Name')} error={missing}>
          <TextInput value={name} onChange={setName} maxLength={500} data-autofocus />
        </Field>
        {!before && mayShare && (
          <Checkbox
            checked={isShared}
            onChange={setShared}
            label={t('dashboard.shareSet', 'Share with all users of this dashboard')}
          />
        )}
      </div>
    </Dialog>
  )
}
