import { Button, Dialog, Field, Banner, TextInput, useTranslate } from '@parquetry/ui'
import type { ReactNode } from 'react'
import { boot } from '../../shared/boot.ts'

export interface NameDialogProps {
  title: string
  description?: ReactNode
  /** What the name is of; `Name` when left out. */
  label?: string
  name: string
  onName(name: string): void
  /** The name is written as code is. */
  mono?: boolean
  /** The verb on the button. */
  action: string
  busy?: boolean
  /** What is missing beside the name. */
  missing?: string | undefined
  dirty?: boolean
  /** The setting of the server whose text stands above the fields. */
  warning?: string
  /** Called with the name without spaces around it, once nothing is missing. */
  onSubmit(name: string): void
  onClose(): void
  /** Further fields. */
  children?: ReactNode
}

/** A dialog that begins with a name, which is chosen whole: typing replaces it. */
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
          maxLength={256}
          mono={mono ?? false}
          onFocus={(event) => event.currentTarget.select()}
          data-autofocus
        />
      </Field>
      {children}
    </Dialog>
  )
}
