import { createContext, use, useId, type ReactNode } from 'react'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../theme/i18n.ts'
import styles from './fields.module.css'

interface FieldIds {
  id: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
}

const FieldContext = createContext<FieldIds | null>(null)

/** Returns the attributes that connect a control to the field around it. */
export function useField(own?: { id?: string | undefined }): {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
  'aria-required'?: true
} {
  const field = use(FieldContext)
  const fallback = useId()
  if (!field) return { id: own?.id ?? fallback }
  return {
    id: own?.id ?? field.id,
    ...(field.describedBy !== undefined && { 'aria-describedby': field.describedBy }),
    ...(field.invalid && { 'aria-invalid': true as const }),
    ...(field.required && { 'aria-required': true as const }),
  }
}

/** Returns the id of the label, for controls that are not native fields (`aria-labelledby`). */
export const useFieldLabel = (): string | undefined => {
  const field = use(FieldContext)
  return field ? `${field.id}-label` : undefined
}

export interface FieldProps {
  label: string
  /** One line under the control. */
  help?: ReactNode
  /** Replaces `help` and marks the control as invalid. */
  error?: string | undefined
  required?: boolean
  /** Content to the right of the label: a link, a counter. */
  aside?: ReactNode
  /** For a group of controls: uses `fieldset` and `legend`. */
  group?: boolean
  children: ReactNode
}

/** Label above, control, then help or error. The control inside gets its ids from the context. */
export function Field({ label, help, error, required = false, aside, group, children }: FieldProps) {
  const t = useTranslate()
  const id = useId()
  const noteId = `${id}-note`
  const note = error ?? help
  const Root = group ? 'fieldset' : 'div'
  const Label = group ? 'legend' : 'label'
  return (
    <FieldContext value={{ id, describedBy: note ? noteId : undefined, invalid: error !== undefined, required }}>
      <Root className={styles.field} {...(group && { 'aria-labelledby': `${id}-label` })}>
        <div className={styles.top}>
          <Label id={`${id}-label`} className={styles.label} {...(!group && { htmlFor: id })}>
            {label}
            {required && ' '}
            {required && <span className={styles.required}>{t('ui.field.required', 'required')}</span>}
          </Label>
          {aside}
        </div>
        {children}
        {note && (
          <p id={noteId} className={error ? styles.error : styles.help} role={error ? 'alert' : undefined}>
            {error && <Icon name="warning" />}
            <span>{note}</span>
          </p>
        )}
      </Root>
    </FieldContext>
  )
}
