import { useState, type ComponentProps, type ReactNode } from 'react'
import { IconButton } from '../buttons/IconButton.tsx'
import { Icon } from '../icons/Icon.tsx'
import type { IconName } from '../icons/paths.ts'
import { useTranslate } from '../theme/i18n.ts'
import { useField } from './Field.tsx'
import styles from './fields.module.css'

export interface TextInputProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'prefix' | 'size'> {
  value: string
  onChange(value: string): void
  icon?: IconName
  prefix?: ReactNode
  suffix?: ReactNode
  /** Adds a clear button. */
  clearable?: boolean
  mono?: boolean
}

/** A single-line text field. Its label comes from `Field` or `aria-label`. */
export function TextInput({
  value,
  onChange,
  icon,
  prefix,
  suffix,
  clearable,
  mono,
  className,
  ...rest
}: TextInputProps) {
  const t = useTranslate()
  const field = useField(rest)
  return (
    <span className={[styles.box, mono && styles.mono, className].filter(Boolean).join(' ')}>
      {icon && <Icon name={icon} className={styles.icon} />}
      {prefix && <span className={styles.affix}>{prefix}</span>}
      <input
        type="text"
        {...rest}
        {...field}
        className={styles.input}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {clearable && value !== '' && (
        <IconButton
          icon="close"
          label={t('ui.field.clear', 'Clear')}
          className={styles.inner}
          onClick={() => onChange('')}
        />
      )}
      {suffix && <span className={styles.affix}>{suffix}</span>}
    </span>
  )
}

/** A password field with a button that shows the password. */
export function PasswordInput(props: Omit<TextInputProps, 'type' | 'suffix' | 'clearable'>) {
  const t = useTranslate()
  const [shown, setShown] = useState(false)
  return (
    <TextInput
      {...props}
      type={shown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      suffix={
        <IconButton
          icon={shown ? 'eye-off' : 'eye'}
          label={shown ? t('ui.password.hide', 'Hide password') : t('ui.password.show', 'Show password')}
          className={styles.inner}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}

export interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> {
  value: string
  onChange(value: string): void
  mono?: boolean
}

export function TextArea({ value, onChange, mono, className, rows = 4, ...rest }: TextAreaProps) {
  const field = useField(rest)
  return (
    <textarea
      {...rest}
      {...field}
      rows={rows}
      className={[styles.area, mono && styles.mono, className].filter(Boolean).join(' ')}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
