import { Button, Dialog, Field, Banner, TextInput, useTranslate } from '@parquetry/ui'
import type { ReactNode } from 'react'
import { boot } from './boot.ts'

export interface NameDialogProps {
  title: string
  description?: ReactNode
  /** Label of the name field; `Name` by default. */
  label?: string
  name: string
  onName(name: string): void
  maxLength?: number
  /** Monospaced font for the name. */
  mono?: boolean
  /** Label of the submit button. */
  action: string
  busy?: boolean
  /** A missing input other than the name. */
  missing?: string | undefined
  dirty?: boolean
  /** Server setting with a text shown above the fields. */
  warning?: string
  /** Called with the trimmed name, once nothing is missing. */
  onSubmit(name: string): void
  onClose(): void
  /** Additional fields. */
  children?: ReactNode
}

/** A dialog with a preselected name, which typing replaces. */
export function NameDialog(props: NameDialogProps) {
  const { title, description, name, onName, mono, action, busy, dirty, onSubmit, onClose, children } = props
  const t = useTranslate()
  const warning = props.warning === undefined ? undefined : boot.common.conf[props.warning]
  const missing = name.trim() === '' ? t('sqllab.rename.first', 'Enter a name') : props.missing
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      dirty={dirty ?? false}
      onSubmit={() => missing === undefined && !busy && onSubmit(name.trim())}
      footer={
        <>
          <Button onClick={onClose}>{t('sqllab.dialog.cancel', 'Cancel')}</Button>
          <Button variant="primary" type="submit" busy={busy ?? false} disabledReason={missing}>
            {action}
          </Button>
        </>
      }
    >
      {typeof warning === 'string' && warning !== '' && (
        <Banner tone="warning" inline>
          {warning}
        </Banner>
      )}
      <Field label={props.label ?? t('sqllab.rename.name', 'Name')} required>
        <TextInput
          value={name}
          onChange={onName}
          maxLength={props.maxLength ?? 256}
          mono={mono ?? false}
          onFocus={(event) => event.currentTarget.select()}
          data-autofocus
        />
      </Field>
      {children}
    </Dialog>
  )
}
