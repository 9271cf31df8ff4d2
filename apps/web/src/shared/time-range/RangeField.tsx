import { Icon, useField, useText } from '@parquetry/ui'
import { useState, type Ref } from 'react'
import { rangeWords } from './range-words.ts'
import { noFilter, readTyped } from './time-range.ts'
import styles from './TimeRange.module.css'

export interface RangeFieldProps {
  value: string
  onChange(range: string): void
  label: string
  isOpen: boolean
  onOpen(): void
  disabledReason?: string | undefined
  ref?: Ref<HTMLDivElement>
}

/** Shows the range; typing "last 30 days", "2026-05" or "yesterday" sets it, the button opens the editor. */
export function RangeField({ value, onChange, label, isOpen, onOpen, disabledReason, ref }: RangeFieldProps) {
  const t = useText()
  const field = useField()
  const [typed, setTyped] = useState<string | null>(null)
  const [isWrong, setWrong] = useState(false)
  const off = disabledReason !== undefined

  const finish = () => {
    if (typed === null) return
    const range = readTyped(typed)
    setWrong(range === null)
    if (range === null) return
    setTyped(null)
    if (range !== value) onChange(range)
  }
  const shown = typed ?? (value && value !== noFilter ? rangeWords(t, value) : '')
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
        onChange={(event) => {
          setTyped(event.target.value)
          setWrong(false)
        }}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finish()
          if (event.key === 'ArrowDown') onOpen()
          if (event.key === 'Escape' && typed !== null) {
            event.stopPropagation()
            setTyped(null)
            setWrong(false)
          }
        }}
      />
      <button
        type="button"
        className={styles.open}
        disabled={off}
        aria-label={t('timeRange.open', 'Choose a range for {label}', { label })}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={onOpen}
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
