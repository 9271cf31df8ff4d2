import { IconButton, useI18n } from '@parquetry/ui'
import { useState, type KeyboardEvent } from 'react'
import { addDays, addMonths, listMonthDays, monthOf } from './calendar.ts'
import styles from './RangeCalendar.module.css'

export interface RangeCalendarProps {
  /** First and last day, `2026-05-03`, both inclusive; null for none. */
  from: string | null
  to: string | null
  onChange(from: string, to: string): void
  /** Day whose month is shown before a day is chosen. */
  near: string
}

/** Days that an arrow key moves by. */
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** Two months side by side. The first click chooses one day, the second the other end of the range. */
export function RangeCalendar({ from, to, onChange, near }: RangeCalendarProps) {
  const { translate: t, locale } = useI18n()
  const [month, setMonth] = useState(() => monthOf(from ?? near))
  const [start, setStart] = useState<string | null>(null)
  const [focused, setFocused] = useState(from ?? near)

  const choose = (day: string) => {
    setFocused(day)
    if (start === null) {
      setStart(day)
      onChange(day, day)
      return
    }
    setStart(null)
    if (day < start) onChange(day, start)
    else onChange(start, day)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const day = addDays(focused, step)
    setFocused(day)
    if (monthOf(day) < month) setMonth(monthOf(day))
    if (monthOf(day) > addMonths(month, 1)) setMonth(addMonths(monthOf(day), -1))
    const calendar = event.currentTarget
    requestAnimationFrame(() => calendar.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus())
  }
  const months = [month, addMonths(month, 1)]
  const isShown = months.includes(monthOf(focused))
  return (
    <div
      className={styles.calendar}
      role="group"
      aria-label={t('timeRange.days', 'Days of the range')}
      onKeyDown={onKeyDown}
    >
      <IconButton
        icon="chevron-left"
        label={t('timeRange.earlierMonth', 'Earlier month')}
        onClick={() => setMonth(addMonths(month, -1))}
      />
      {months.map((each) => (
        <Month
          key={each}
          month={each}
          locale={locale}
          isBetween={(day) => from !== null && to !== null && from <= day && day <= to}
          isEnd={(day) => day === from || day === to}
          isTabStop={(day) => day === (isShown ? focused : `${month}-01`)}
          onChoose={choose}
        />
      ))}
      <IconButton
        icon="chevron-right"
        label={t('timeRange.laterMonth', 'Later month')}
        onClick={() => setMonth(addMonths(month, 1))}
      />
    </div>
  )
}

interface MonthProps {
  /** `2026-05` */
  month: string
  locale: string
  isBetween(day: string): boolean
  isEnd(day: string): boolean
  isTabStop(day: string): boolean
  onChoose(day: string): void
}

function Month({ month, locale, isBetween, isEnd, isTabStop, onChoose }: MonthProps) {
  const format = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
  const days = listMonthDays(month)
  return (
    <div className={styles.month}>
      <div className={styles.name}>{format(`${month}-01`, { month: 'long', year: 'numeric' })}</div>
      <div className={styles.days}>
        {days.slice(0, 7).map((_, index) => (
          <span key={index} className={styles.weekday} aria-hidden="true">
            {format(addDays('2024-01-01', index), { weekday: 'short' })}
          </span>
        ))}
        {days.map((day, index) =>
          day === null ? (
            <span key={index} />
          ) : (
            <button
              key={day}
              type="button"
              className={styles.day}
              data-day={day}
              data-between={isBetween(day) || undefined}
              aria-pressed={isEnd(day)}
              aria-label={format(day, { dateStyle: 'full' })}
              tabIndex={isTabStop(day) ? 0 : -1}
              onClick={() => onChoose(day)}
            >
              {Number(day.slice(8))}
            </button>
          ),
        )}
      </div>
    </div>
  )
}
