import { Icon, useField, useTranslate } from '@parquetry/ui'
import { useState, type KeyboardEvent, type Ref } from 'react'
import { formatTimeRange } from './format-time-range.ts'
import { noTimeFilter, parseTypedRange } from './time-range.ts'
import styles from './TimeRange.module.css'

export interface RangeFieldProps {
  value: string
  onChange(range: string): void
  label: string
  isOpen: boolean
  /** `typing` leaves the focus in the field, `choosing` moves it. */
  onOpen(by: 'typing' | 'choosing'): void
  onClose(): void
  /** The range of the typed text so far; null for none. */
  onTyping(range: string | null): void
  disabledReason?: string | undefined
  ref?: Ref<HTMLDivElement>
}

/**
 * Shows the range; typing "last 30 days", "2026-05" or "yesterday" sets it. Clicking the field or the button opens the editor.
 */
export function RangeField(props: RangeFieldProps) {
  const { value, onChange, label, isOpen, onOpen, onClose, onTyping, disabledReason, ref } = props
  const t = useTranslate()
  const field = useField()
  const [typed, setTyped] = useState<string | null>(null)
  const [isWrong, setWrong] = useState(false)
  const off = disabledReason !== undefined

  const type = (text: string | null) => {
    setTyped(text)
    setWrong(false)
    onTyping(text === null ? null : parseTypedRange(text))
  }
  /** @returns whether the field holds a range */
  const finish = (): boolean => {
    if (typed === null) return true
    const range = parseTypedRange(typed)
    if (range === null) {
      setWrong(true)
      return false
    }
    type(null)
    if (range !== value) onChange(range)
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && finish()) onClose()
    if (event.key === 'ArrowDown') onOpen('choosing')
    if (event.key === 'Tab' && !event.shiftKey && isOpen) {
      event.preventDefault()
      onOpen('choosing')
    }
    if (event.key === 'Escape' && typed !== null) {
      event.stopPropagation()
      type(null)
    }
  }
  const shown = typed ?? (value && value !== noTimeFilter ? formatTimeRange(t, value) : '')
  return (
    <div ref={ref} className={styles.field} data-error={isWrong || undefined}>
      <Icon name="calendar" />
      <input
        {...field}
        aria-label={label}
        aria-invalid={isWrong || undefined}
        aria-description={disabledReason}
        className={styles.input}
        disabled={off}
        value={shown}
        title={shown}
        placeholder={t('timeRange.noFilter', 'No filter')}
        onChange={(event) => type(event.target.value)}
        onClick={() => onOpen('typing')}
        onBlur={finish}
        onKeyDown={onKeyDown}
      />
      <button
        type="button"
        className={styles.open}
        disabled={off}
        aria-label={t('timeRange.open', 'Choose a range for {label}', { label })}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => onOpen('choosing')}
      >
        <Icon name="chevron-down" />
      </button>
      {isWrong && (
        <span className={styles.wrong} role="alert">
          {t('timeRange.wrong', 'Not a time range. Try “last 30 days” or “2026-05”.')}
        </span>
      )}
    </div>
  )
}
