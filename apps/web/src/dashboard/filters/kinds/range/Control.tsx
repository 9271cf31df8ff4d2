import { useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useDashboardState } from '../../../state/context.ts'
import { valueOf } from '../../mask.ts'
import { buildParentKey } from '../../value-queries.ts'
import { fetchRange } from '../../values.ts'
import type { KindControlProps } from '../kind.ts'
import kind from './kind.ts'
import { buildSliderStops, isReversed, readRangeMode, readRange, type NumericRange, type RangeEnd } from './range.ts'
import { RangeEndInput } from './RangeEndInput.tsx'
import styles from './Range.module.css'

const parts = 40

/** Two fields, and a slider below a histogram of the column; the fields also work without these. */
export default function RangeControl({ filter, entry, name, onChange }: KindControlProps) {
  const t = useTranslate()
  const dashboardId = useDashboardState(({ dashboard }) => dashboard.result.id)
  const mask = useDashboardState((state) => state.chosen)
  const above = buildParentKey(filter, mask)
  const { data, error, refetch } = useQuery({
    queryKey: ['filter-range', filter, dashboardId, above],
    staleTime: Infinity,
    queryFn: () => fetchRange(filter, dashboardId, mask, parts),
  })
  const { least = null, greatest = null, bins = [] } = data ?? {}

  const mode = readRangeMode(filter.controlValues?.enableSingleValue)
  // No query runs while a handle is dragged, or for a range that contains no number.
  const [draft, setDraft] = useState<NumericRange | null>(null)
  const chosen = readRange(valueOf(entry))
  const [from, to] = draft ?? chosen
  const isRefused = draft !== null && isReversed(draft)
  // A range is often reversed while it is typed, such as 5 to 1 on the way to 5 to 10.
  const [isTyping, setTyping] = useState(false)
  /** The range before the field with the focus was edited. */
  const before = useRef(chosen)
  const applyRange = (next: NumericRange): void => {
    setDraft(null)
    onChange(kind.entry(filter, mode === 'exact' ? [next[0], next[0]] : next))
  }
  const typeRange = (next: NumericRange): void => {
    // What was typed so far may have been a range: of 15, the 1.
    applyRange(isReversed(next) ? before.current : next)
    if (isReversed(next)) setDraft(next)
    setTyping(true)
  }
  const noteId = useId()
  const isReported = isRefused && !isTyping
  const field = (label: string, value: RangeEnd, set: (value: RangeEnd) => NumericRange, hint: RangeEnd) => (
    <RangeEndInput
      className={styles.field}
      aria-label={`${name}: ${label}`}
      value={value}
      placeholder={hint === null ? label : String(hint)}
      {...(isRefused && { 'aria-invalid': true })}
      {...(isReported && { 'aria-describedby': noteId })}
      onFocus={() => {
        if (!isRefused) before.current = chosen
      }}
      onBlur={() => setTyping(false)}
      onKeyDown={({ key }) => key === 'Enter' && setTyping(false)}
      onChange={(next) => typeRange(set(next))}
    />
  )
  const hasSlider = least !== null && greatest !== null && Number(least) < Number(greatest)
  return (
    <div className={styles.range}>
      {hasSlider && (
        <Slider
          name={name}
          least={Number(least)}
          greatest={Number(greatest)}
          bins={bins}
          range={isRefused ? chosen : [from, to]}
          mode={mode}
          onDrag={setDraft}
          onRelease={() => draft && !isRefused && applyRange(draft)}
        />
      )}
      <div className={styles.fields}>
        {mode === 'exact' ? (
          field(t('dashboard.rangeExact', 'Exact value'), from, (value) => [value, value], null)
        ) : (
          <>
            {mode !== 'max' && field(t('dashboard.rangeFrom', 'From'), from, (value) => [value, to], least)}
            {mode === 'range' && <span aria-hidden="true">–</span>}
            {mode !== 'min' && field(t('dashboard.rangeTo', 'To'), to, (value) => [from, value], greatest)}
          </>
        )}
      </div>
      {isReported && (
        <p id={noteId} className={styles.error} role="alert">
          {t('dashboard.rangeReversed', 'From must not be greater than To. The filter still has its previous range.')}
        </p>
      )}
      {error && (
        <p className={styles.error} role="alert">
          {t('dashboard.valuesFailed', 'Could not load the values.')}{' '}
          <button type="button" className={styles.retry} onClick={() => void refetch()}>
            {t('dashboard.retry', 'Try again')}
          </button>
        </p>
      )}
    </div>
  )
}

interface SliderProps {
  name: string
  least: number
  greatest: number
  bins: readonly number[]
  range: NumericRange
  mode: ReturnType<typeof readRangeMode>
  onDrag(range: NumericRange): void
  /** Called when a key or the pointer is released, moved or not. */
  onRelease(): void
}

function Slider({ name, least, greatest, bins, range: [from, to], mode, onDrag, onRelease }: SliderProps) {
  const t = useTranslate()
  const id = useId()
  const low = from === null ? least : Number(from)
  const high = to === null ? greatest : Number(to)
  const maxCount = Math.max(...bins, 1)
  const stops = buildSliderStops(least, greatest)
  /** A handle at the end of the column leaves that end open, so that later rows beyond it are included. */
  const moved = (end: 'from' | 'to', value: number): NumericRange => {
    if (mode === 'exact') return [value, value]
    return end === 'from'
      ? [value <= least ? null : value > high ? to : value, to]
      : [from, value >= greatest ? null : value < low ? from : value]
  }
  const handle = (end: 'from' | 'to', label: string, value: number) => (
    <input
      key={end}
      id={`${id}-${end}`}
      type="range"
      className={styles.handle}
      aria-label={`${name}: ${label}`}
      min={0}
      max={stops.last}
      value={stops.positionOf(value)}
      aria-valuetext={String(value)}
      onChange={(event) => onDrag(moved(end, stops.valueAt(Number(event.currentTarget.value))))}
      onPointerUp={onRelease}
      onKeyUp={onRelease}
    />
  )
  const inside = (index: number) => {
    const middle = least + ((index + 0.5) / bins.length) * (greatest - least)
    return middle >= low && middle <= high
  }
  const share = (value: number) => `${((value - least) / (greatest - least)) * 100}%`
  return (
    <div className={styles.slider}>
      {bins.length > 0 && (
        <div className={styles.bars} aria-hidden="true">
          {bins.map((count, index) => (
            <span key={index} data-in={inside(index) || undefined} style={{ height: `${(count / maxCount) * 100}%` }} />
          ))}
        </div>
      )}
      <div className={styles.track}>
        <span
          style={{
            insetInlineStart: share(mode === 'exact' ? least : low),
            insetInlineEnd: `calc(100% - ${share(high)})`,
          }}
        />
        {mode === 'exact'
          ? handle('from', t('dashboard.rangeExact', 'Exact value'), low)
          : [
              ...(mode === 'max' ? [] : [handle('from', t('dashboard.rangeFrom', 'From'), low)]),
              ...(mode === 'min' ? [] : [handle('to', t('dashboard.rangeTo', 'To'), high)]),
            ]}
      </div>
    </div>
  )
}
