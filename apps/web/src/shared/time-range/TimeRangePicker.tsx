import { Button, Popover, RadioGroup, SegmentedControl, useTranslate, type Translate } from '@parquetry/ui'
import { useState } from 'react'
import { AdvancedRangeFields } from './AdvancedRangeFields.tsx'
import { CustomRangeFields } from './CustomRangeFields.tsx'
import { formatTimeRange } from './format-time-range.ts'
import { RangeField } from './RangeField.tsx'
import type { TimeSource } from '../fetch-column-span.ts'
import {
  validateCustomRange,
  currentRanges,
  formatDays,
  initialTimeMode,
  lastRanges,
  noTimeFilter,
  previousRanges,
  parseCustomRange,
  switchTimeMode,
  timeModes,
  type TimeMode,
} from './time-range.ts'
import { useDataDays, type DataDays } from './use-data-days.ts'
import { useActualRange, type ActualRangeState } from './use-actual-range.ts'
import styles from './TimeRange.module.css'

export interface TimeRangePickerProps {
  value: string
  onChange(range: string): void
  /** Name of the control outside a `Field`. */
  label: string
  /** Column that the range filters, for the summary. */
  column?: string | undefined
  /** Where the data are, to offer all of them. */
  source?: TimeSource | undefined
  /** Text that is being typed is discarded when this changes: something else chose the range. */
  revision?: unknown
  disabledReason?: string | undefined
}

/** A field that accepts typed ranges, and a popover that builds them; both change `value` only on confirmation. */
export function TimeRangePicker(props: TimeRangePickerProps) {
  const { value, onChange, label, column, source, revision, disabledReason } = props
  const [open, setOpen] = useState<'typing' | 'choosing' | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const [shownRevision, setShownRevision] = useState(revision)
  if (shownRevision !== revision) {
    setShownRevision(revision)
    setTyped(null)
  }
  const close = () => setOpen(null)
  const shown = typed ?? value
  return (
    <Popover
      open={open !== null}
      onClose={close}
      label={label}
      width={600}
      trapFocus={open === 'choosing'}
      anchor={
        <RangeField
          value={value}
          onChange={onChange}
          label={label}
          isOpen={open !== null}
          onOpen={setOpen}
          onClose={close}
          onTyping={setTyped}
          revision={revision}
          disabledReason={disabledReason}
        />
      }
    >
      <Editor
        key={shown}
        value={shown}
        column={column}
        source={source}
        onCancel={close}
        onApply={(range) => {
          close()
          if (range !== value) onChange(range)
        }}
      />
    </Popover>
  )
}

interface EditorProps {
  value: string
  column: string | undefined
  source: TimeSource | undefined
  onCancel(): void
  onApply(range: string): void
}

/** Edits a draft (TIME-007); Apply is disabled while the range is invalid (TIME-008). */
function Editor({ value, column, source, onCancel, onApply }: EditorProps) {
  const t = useTranslate()
  const data = useDataDays(source)
  const [mode, setMode] = useState<TimeMode>(() => initialTimeMode(value))
  const [draft, setDraft] = useState(value || noTimeFilter)
  const actual = useActualRange(draft)
  const custom = mode === 'Custom' ? parseCustomRange(draft) : null
  const isOff =
    (custom !== null && validateCustomRange(custom) !== null) ||
    (mode === 'Custom' && custom === null) ||
    actual.error !== null

  const change = (next: TimeMode) => {
    setMode(next)
    setDraft(switchTimeMode(draft, next))
  }
  const chooseAll = ({ from, to }: DataDays) => {
    setMode('Custom')
    setDraft(formatDays(from, to))
  }
  return (
    <div className={styles.editor}>
      <SegmentedControl<TimeMode>
        value={mode}
        onChange={change}
        label={t('timeRange.kind', 'Range type')}
        options={timeModes.map((each) => ({ value: each, label: modeLabel(t, each) }))}
      />
      <div className={styles.body}>
        {mode === 'Last' && <Choices value={draft} onChange={setDraft} ranges={lastRanges} />}
        {mode === 'Previous' && <Choices value={draft} onChange={setDraft} ranges={previousRanges} />}
        {mode === 'Current' && <Choices value={draft} onChange={setDraft} ranges={currentRanges} />}
        {mode === 'Custom' && (
          <CustomRangeFields key={data?.to} value={draft} onChange={setDraft} near={data?.to ?? today()} />
        )}
        {mode === 'Advanced' && <AdvancedRangeFields value={draft} onChange={setDraft} />}
        {mode === 'No filter' && <p>{t('timeRange.none', 'All rows are shown, regardless of their time.')}</p>}
      </div>
      {data && (
        <div className={styles.data}>
          <span>{t('timeRange.data', 'Data from {from} to {to}', { ...data })}</span>
          <Button variant="quiet" onClick={() => chooseAll(data)}>
            {t('timeRange.useAll', 'Use all')}
          </Button>
        </div>
      )}
      <Actual actual={actual} column={column} isNone={draft === noTimeFilter} />
      <div className={styles.footer}>
        <Button onClick={onCancel}>{t('timeRange.cancel', 'Cancel')}</Button>
        <Button
          variant="primary"
          onClick={() => onApply(draft)}
          disabledReason={
            isOff ? (actual.error ?? t('timeRange.incomplete', 'Complete the time range first')) : undefined
          }
        >
          {t('timeRange.apply', 'Apply')}
        </Button>
      </div>
    </div>
  )
}

const today = () => new Date().toISOString().slice(0, 10)

const modeLabel = (t: Translate, mode: TimeMode): string =>
  ({
    Last: t('timeRange.last', 'Last'),
    Previous: t('timeRange.previous', 'Previous'),
    Current: t('timeRange.current', 'Current'),
    Custom: t('timeRange.custom', 'Custom'),
    Advanced: t('timeRange.advanced', 'Advanced'),
    'No filter': t('timeRange.noFilter', 'No filter'),
  })[mode]

interface ChoicesProps {
  value: string
  onChange(range: string): void
  ranges: readonly string[]
}

function Choices({ value, onChange, ranges }: ChoicesProps) {
  const t = useTranslate()
  const options = ranges.map((range) => ({ value: range, label: formatTimeRange(t, range) }))
  return <RadioGroup value={value} onChange={onChange} options={options} label={t('timeRange.span', 'Span')} />
}

/** Shows the instants of the draft, start inclusive and end exclusive, as resolved by the server. */
function Actual({ actual, column, isNone }: { actual: ActualRangeState; column: string | undefined; isNone: boolean }) {
  const t = useTranslate()
  if (isNone) return null
  const columnLabel = column ?? t('timeRange.time', 'time')
  const { range, error, busy } = actual
  return (
    <div className={styles.actual} role={error ? 'alert' : 'status'} data-error={error !== null || undefined}>
      <span className={styles.caption}>{t('timeRange.actual', 'Actual range')}</span>
      {error ? (
        <span>{error}</span>
      ) : range ? (
        <span className={styles.instants} data-busy={busy || undefined}>
          {range.since && `${stamp(range.since)} ≤ `}
          {columnLabel}
          {range.until && ` < ${stamp(range.until)}`} UTC
        </span>
      ) : (
        <span>…</span>
      )}
    </div>
  )
}

/** Midnight is shown as the day only. */
const stamp = (iso: string): string => iso.replace(/T00:00:00$/, '').replace('T', ' ')
