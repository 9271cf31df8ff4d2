import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { Button } from '../buttons/Button.tsx'
import { Field } from '../fields/Field.tsx'
import { TextInput } from '../fields/TextInput.tsx'
import { useTranslate } from '../theme/i18n.ts'
import { Dialog } from './Dialog.tsx'

export interface ConfirmOptions {
  /** Object and number: "Delete 3 charts?" */
  title: string
  /** The consequence: "They are on 2 dashboards." */
  body?: ReactNode
  /** Label of the button, which repeats the verb: "Delete 3 charts". */
  action: string
  danger?: boolean
  /** A name that must be typed first. */
  typed?: string
}

interface PendingConfirmation extends ConfirmOptions {
  id: number
  answer(yes: boolean): void
}

let nextId = 1
let pending: PendingConfirmation | null = null
const listeners = new Set<() => void>()
const set = (next: PendingConfirmation | null): void => {
  pending = next
  for (const listener of listeners) listener()
}

/**
 * Asks in a dialog; resolves to true if the user confirms. A confirmation that is already open resolves to false. Needs
 * `UiProvider`.
 */
export const confirm = (question: ConfirmOptions): Promise<boolean> =>
  new Promise((resolve) => {
    pending?.answer(false)
    set({
      ...question,
      id: nextId++,
      answer: (yes) => {
        set(null)
        resolve(yes)
      },
    })
  })

export function ConfirmHost() {
  const question = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pending,
  )
  return question && <ConfirmDialog key={question.id} {...question} />
}

function ConfirmDialog({ title, body, action, danger = true, typed, answer }: PendingConfirmation) {
  const t = useTranslate()
  const [text, setText] = useState('')
  const missing = typed !== undefined && text.trim() !== typed
  return (
    <Dialog
      open
      role="alertdialog"
      title={title}
      description={body}
      onClose={() => answer(false)}
      onSubmit={() => !missing && answer(true)}
      footer={
        <>
          <Button onClick={() => answer(false)} {...(typed === undefined && { 'data-autofocus': true })}>
            {t('ui.confirm.cancel', 'Cancel')}
          </Button>
          <Button
            type="submit"
            variant={danger ? 'danger' : 'primary'}
            disabledReason={missing ? t('ui.confirm.typeFirst', 'Type the name to confirm') : undefined}
          >
            {action}
          </Button>
        </>
      }
    >
      {typed !== undefined && (
        <Field label={t('ui.confirm.type', 'Type {name} to confirm', { name: typed })}>
          <TextInput value={text} onChange={setText} autoComplete="off" data-autofocus />
        </Field>
      )}
    </Dialog>
  )
}
