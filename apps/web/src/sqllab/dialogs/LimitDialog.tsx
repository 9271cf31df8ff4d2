import { Button, Dialog, Field, TextInput, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import type { QueryEditor } from '../state.ts'
import { readLimit } from '../toolbar/limit-options.ts'

export interface LimitDialogProps {
  tab: QueryEditor
  onClose(): void
  onLimit(limit: number): void
}

/** Asks for a row limit that the menu does not list. */
export function LimitDialog({ tab, onClose, onLimit }: LimitDialogProps) {
  const t = useTranslate()
  const [text, setText] = useState(String(tab.queryLimit))
  const limit = readLimit(text, tab.maxRow)
  const hint = t('sqllab.limit.range', 'Enter a whole number from 1 to {max, number}', { max: tab.maxRow })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('sqllab.limit', 'Row limit')}
      onSubmit={() => {
        if (limit === null) return
        onLimit(limit)
        onClose()
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('sqllab.dialog.cancel', 'Cancel')}</Button>
          <Button variant="primary" type="submit" disabledReason={limit === null ? hint : undefined}>
            {t('sqllab.limit.set', 'Set limit')}
          </Button>
        </>
      }
    >
      <Field label={t('sqllab.limit', 'Row limit')} help={hint} error={limit === null ? hint : undefined}>
        <TextInput
          value={text}
          onChange={setText}
          inputMode="numeric"
          onFocus={(event) => event.currentTarget.select()}
          data-autofocus
        />
      </Field>
    </Dialog>
  )
}
