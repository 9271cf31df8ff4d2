import { Icon, useField, useTranslate } from '@parquetry/ui'
import { useEffect, useRef, useState, type KeyboardEvent, type Ref } from 'react'
import { formatTimeRange } from './format-time-range.ts'
import { findRangeError } from './find-range-error.ts'
import { noTimeFilter, parseTypedRange } from './time-range.ts'
import styles from './TimeRange.module.css'

/** Number of characters of a refused text that its message repeats. */
const maxNamed = 40

/** Two typed sides may have a date that does not exist, or end before they begin. */
const hasSides = (typed: string): boolean => ` ${typed} `.includes(' : ')

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
  /** Text that is being typed is discarded when this changes. */
  revision: unknown
  disabledReason?: string | undefined
  ref?: Ref<HTMLDivElement>
}

/**
 * Shows the range; typing "last 30 days", "2026-05" or "yesterday" sets it. Clicking the field or the button opens the editor. Text
 * that is not a range is marked while the field has the focus; afterwards the field shows the range in force again.
 */
export function RangeField(props: RangeFieldProps) {
  const { value, onChange, label, isOpen, onOpen, onClose, onTyping, revision, disabledReason, ref } = props
  const t = useTranslate()
  const field = useField()
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const off = disabledReason !== undefined
  const isWrong = problem !== null
  const [shownRevision, setShownRevision] = useState(revision)
  if (shownRevision !== revision) {
    setShownRevision(revision)
    setTyped(null)
    setProblem(null)
  }
  // Changes with each edit and choice, so that a late answer about older text is ignored.
  const edition = useRef(0)
  useEffect(() => {
    edition.current += 1
  }, [revision, typed])

  const type = (text: string | null) => {
    setTyped(text)
    setProblem(null)
    onTyping(text === null ? null : parseTypedRange(text))
  }
  /** Puts the typed text in force, or marks it; nothing happens when it changed meanwhile. */
  const finish = async (): Promise<'done' | 'wrong' | 'outdated'> => {
    if (typed === null) return 'done'
    const known = parseTypedRange(typed)
    const range = known ?? typed.trim()
    if (known === null || hasSides(typed)) {
      const current = edition.current
      const error = await findRangeError(range)
      if (current !== edition.current) return 'outdated'
      if (error !== null) {
        const named = range.length > maxNamed ? `${range.slice(0, maxNamed)}…` : range
        setProblem(
          known === null
            ? t('timeRange.notRange', '“{text}” is not a time range. Try “last 30 days” or “2026-05”.', { text: named })
            : error,
        )
        return 'wrong'
      }
    }
    type(null)
    if (range !== value) onChange(range)
    return 'done'
  }
  const leave = async () => {
    if ((await finish()) !== 'wrong') return
    setTyped(null)
    onTyping(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void finish().then((state) => state === 'done' && onClose())
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
    <div ref={ref} className={styles.rangeField}>
      <div className={styles.field} data-error={isWrong || undefined}>
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
          onBlur={() => void leave()}
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
      </div>
      {isWrong && (
        <span className={styles.wrong} role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}
