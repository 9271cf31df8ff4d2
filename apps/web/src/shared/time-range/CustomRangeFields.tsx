import { Field, NumberInput, Select, TextInput, useTranslate, type Translate } from '@parquetry/ui'
import {
  validateCustomRange,
  defaultCustomRange,
  parseCustomRange,
  timeUnits,
  formatCustomRange,
  formatDays,
  type CustomRange as Fields,
  type SideMode,
  type TimeUnit,
} from './time-range.ts'
import { useState } from 'react'
import { addDays } from './calendar.ts'
import { RangeCalendar } from './RangeCalendar.tsx'
import styles from './TimeRange.module.css'

interface CustomRangeFieldsProps {
  value: string
  onChange(range: string): void
  /** Day whose month the calendar shows before a day is chosen. */
  near: string
}

/** A calendar, and two sides, each a date, a relative offset, now or today (TIME-011 to TIME-015). */
export function CustomRangeFields({ value, onChange, near }: CustomRangeFieldsProps) {
  const t = useTranslate()
  // Typed values may not form a range yet, which `value` cannot represent.
  const [fields, setFields] = useState<Fields>(() => parseCustomRange(value) ?? defaultCustomRange)
  const change = (patch: Partial<Fields>) => {
    const next = { ...fields, ...patch }
    setFields(next)
    onChange(formatCustomRange(next))
  }
  const fault = validateCustomRange(fields)
  const isRelative = fields.sinceMode === 'relative' || fields.untilMode === 'relative'
  const chooseDays = (from: string, to: string) => {
    const range = formatDays(from, to)
    setFields(parseCustomRange(range) ?? defaultCustomRange)
    onChange(range)
  }
  return (
    <div className={styles.custom}>
      <div className={styles.days}>
        <RangeCalendar {...daysOf(fields)} near={near} onChange={chooseDays} />
      </div>
      <Side
        title={t('timeRange.start', 'Start (inclusive)')}
        mode={fields.sinceMode}
        datetime={fields.sinceDatetime}
        amount={fields.sinceGrainValue}
        grain={fields.sinceGrain}
        way={fields.sinceWay}
        isWrong={fault === 'since'}
        onChange={({ mode, datetime, amount, grain, way }) =>
          change({
            sinceMode: mode,
            sinceDatetime: datetime,
            sinceGrainValue: amount,
            sinceGrain: grain,
            sinceWay: way,
          })
        }
      />
      <Side
        title={t('timeRange.end', 'End (exclusive)')}
        mode={fields.untilMode}
        datetime={fields.untilDatetime}
        amount={fields.untilGrainValue}
        grain={fields.untilGrain}
        way={fields.untilWay}
        isWrong={fault === 'until'}
        onChange={({ mode, datetime, amount, grain, way }) =>
          change({
            untilMode: mode,
            untilDatetime: datetime,
            untilGrainValue: amount,
            untilGrain: grain,
            untilWay: way,
          })
        }
      />
      {isRelative && (
        <div className={styles.anchor}>
          <Field label={t('timeRange.anchor', 'Anchor to')}>
            <Select
              value={fields.anchorMode}
              onChange={(mode) =>
                change({
                  anchorMode: mode === 'specific' ? 'specific' : 'now',
                  anchorValue: mode === 'specific' ? '' : 'now',
                })
              }
              options={[
                { value: 'now', label: t('timeRange.anchorNow', 'Now') },
                { value: 'specific', label: t('timeRange.anchorDate', 'Specific date') },
              ]}
            />
          </Field>
          {fields.anchorMode === 'specific' && (
            <Moment
              label={t('timeRange.anchorMoment', 'Anchor date')}
              value={fields.anchorValue}
              isWrong={fault === 'anchor'}
              onChange={(anchorValue) => change({ anchorValue })}
            />
          )}
        </div>
      )}
    </div>
  )
}

/** Days of two dates; the exclusive end is the midnight after the last day, or within it. */
function daysOf({ sinceMode, sinceDatetime, untilMode, untilDatetime }: Fields) {
  const dayIn = (text: string) => (Number.isNaN(Date.parse(text)) ? null : text.slice(0, 10))
  const from = sinceMode === 'specific' ? dayIn(sinceDatetime) : null
  const end = untilMode === 'specific' ? dayIn(untilDatetime) : null
  return { from, to: end && /^(?:T00:00(?::00)?)?$/.test(untilDatetime.slice(10)) ? addDays(end, -1) : end }
}

interface SideValues {
  mode: SideMode
  datetime: string
  amount: number
  grain: TimeUnit
  way: 'before' | 'after'
}

interface SideProps extends SideValues {
  title: string
  isWrong: boolean
  onChange(side: SideValues): void
}

function Side({ title, isWrong, onChange, ...side }: SideProps) {
  const t = useTranslate()
  return (
    <fieldset className={styles.side}>
      <legend className={styles.caption}>{title}</legend>
      <Select
        aria-label={title}
        value={side.mode}
        onChange={(mode) => mode && onChange({ ...side, mode })}
        options={[
          { value: 'specific', label: t('timeRange.specific', 'Specific date') },
          { value: 'relative', label: t('timeRange.relative', 'Relative date') },
          { value: 'now', label: t('timeRange.now', 'Now') },
          { value: 'today', label: t('timeRange.midnight', 'Midnight today') },
        ]}
      />
      {side.mode === 'specific' && (
        <Moment
          label={title}
          value={side.datetime}
          isWrong={isWrong}
          onChange={(datetime) => onChange({ ...side, datetime })}
        />
      )}
      {side.mode === 'relative' && (
        <div className={styles.distance}>
          <NumberInput
            aria-label={t('timeRange.amount', '{side}: amount', { side: title })}
            value={side.amount}
            min={1}
            integer
            onChange={(amount) => amount !== null && onChange({ ...side, amount })}
          />
          <Select
            aria-label={t('timeRange.unit', '{side}: unit', { side: title })}
            value={side.grain}
            onChange={(grain) => grain && onChange({ ...side, grain })}
            options={timeUnits.map((grain) => ({ value: grain, label: unitLabel(t, grain) }))}
          />
          <Select
            aria-label={t('timeRange.way', '{side}: before or after', { side: title })}
            value={side.way}
            onChange={(way) => way && onChange({ ...side, way })}
            options={[
              { value: 'before', label: t('timeRange.before', 'Before') },
              { value: 'after', label: t('timeRange.after', 'After') },
            ]}
          />
        </div>
      )}
    </fieldset>
  )
}

interface MomentProps {
  label: string
  value: string
  isWrong: boolean
  onChange(iso: string): void
}

/** The browser's date picker beside the typed text, which stays while incomplete. */
function Moment({ label, value, isWrong, onChange }: MomentProps) {
  const t = useTranslate()
  return (
    <div className={styles.moment}>
      <TextInput
        aria-label={t('timeRange.typed', '{side}: date and time', { side: label })}
        aria-invalid={isWrong || undefined}
        value={value}
        placeholder="2026-11-21T14:05:00"
        onChange={onChange}
      />
      <input
        className={styles.calendar}
        type="date"
        aria-label={t('timeRange.calendar', '{side}: calendar', { side: label })}
        value={value.slice(0, 10)}
        onChange={(event) => event.target.value && onChange(`${event.target.value}T00:00:00`)}
      />
    </div>
  )
}

const unitLabel = (t: Translate, unit: TimeUnit): string =>
  ({
    second: t('timeRange.second', 'Seconds'),
    minute: t('timeRange.minute', 'Minutes'),
    hour: t('timeRange.hour', 'Hours'),
    day: t('timeRange.day', 'Days'),
    week: t('timeRange.week', 'Weeks'),
    month: t('timeRange.month', 'Months'),
    quarter: t('timeRange.quarter', 'Quarters'),
    year: t('timeRange.year', 'Years'),
  })[unit]
