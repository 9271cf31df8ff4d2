import { schemeOf } from '@parquetry/charts'
import { Checkbox, NumberInput, Select, TextInput, useTranslate } from '@parquetry/ui'
import { useDebouncedChange } from './use-debounced-change.ts'
import styles from './controls.module.css'

export interface CurrencyFormat {
  symbol?: string
  symbolPosition?: 'prefix' | 'suffix'
}

const currencies = ['USD', 'EUR', 'GBP', 'INR', 'MXN', 'JPY', 'CNY']

/** Currency by ISO code and the position of its symbol. */
export function CurrencyControl({
  value,
  onChange,
}: {
  value: CurrencyFormat | null
  onChange(value: CurrencyFormat | undefined): void
}) {
  const t = useTranslate()
  const symbol = value?.symbol ?? ''
  return (
    <div className={styles.pair}>
      <Select<string>
        aria-label={t('explore.currency.symbol', 'Currency')}
        placeholder={t('explore.none', 'None')}
        value={symbol || null}
        selectedLabel={symbol}
        options={currencies.map((code) => ({ value: code, label: code }))}
        freeText
        clearable
        onChange={(next) =>
          onChange(next ? { symbolPosition: 'prefix', ...value, symbol: next.trim().toUpperCase() } : undefined)
        }
      />
      <Select<'prefix' | 'suffix'>
        aria-label={t('explore.currency.position', 'Position')}
        value={value?.symbolPosition ?? 'prefix'}
        options={[
          { value: 'prefix', label: t('explore.currency.prefix', 'Before') },
          { value: 'suffix', label: t('explore.currency.suffix', 'After') },
        ]}
        disabledReason={symbol ? undefined : t('explore.currency.first', 'Choose a currency first')}
        onChange={(symbolPosition) => onChange({ ...value, symbolPosition: symbolPosition ?? 'prefix' })}
      />
    </div>
  )
}

type Bound = number | null

/** Minimum and maximum of an axis. An empty or non-numeric bound follows the data (CTRL-030). */
export function BoundsControl({ value, onChange }: { value: unknown; onChange(bounds: [Bound, Bound]): void }) {
  const t = useTranslate()
  const [lowest = null, highest = null] = (Array.isArray(value) ? value : []).map((each): Bound =>
    typeof each === 'number' ? each : null,
  )
  const typed = useDebouncedChange<[Bound, Bound]>([lowest, highest], onChange)
  const [low, high] = typed.value
  return (
    <div className={styles.pair} {...typed.around}>
      <NumberInput
        aria-label={t('explore.bounds.min', 'Minimum')}
        placeholder={t('explore.bounds.minShort', 'Min')}
        value={low}
        emptyWhenInvalid
        onChange={(next) => typed.onChange([next, high])}
      />
      <NumberInput
        aria-label={t('explore.bounds.max', 'Maximum')}
        placeholder={t('explore.bounds.maxShort', 'Max')}
        value={high}
        emptyWhenInvalid
        onChange={(next) => typed.onChange([low, next])}
      />
    </div>
  )
}

/** Times of day at which an axis starts and ends. An empty bound follows the data. */
export function TimeBoundsControl({
  value,
  onChange,
}: {
  value: unknown
  onChange(bounds: [string | null, string | null]): void
}) {
  const t = useTranslate()
  const [from = null, to = null] = (Array.isArray(value) ? value : []).map((each) =>
    typeof each === 'string' && each !== '' ? each : null,
  )
  return (
    <div className={styles.pair}>
      <TextInput
        type="time"
        aria-label={t('explore.timeBounds.from', 'Start time')}
        value={from ?? ''}
        onChange={(next) => onChange([next || null, to])}
      />
      <TextInput
        type="time"
        aria-label={t('explore.timeBounds.to', 'End time')}
        value={to ?? ''}
        onChange={(next) => onChange([from, next || null])}
      />
    </div>
  )
}

interface Rgb {
  r: number
  g: number
  b: number
  a?: number
}

const toHexByte = (value: number): string => Math.round(value).toString(16).padStart(2, '0')

const parseHexColor = (hex: string): Rgb => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((index) => Number.parseInt(hex.slice(index, index + 2), 16))
  return { r, g, b }
}

/** First seven colors of the default scheme (CTRL-110). */
const presets = schemeOf('parquetry').colors.slice(0, 7)

/** The first theme colors as presets. */
function Presets({ value, onChange, label }: { value: string; onChange(hex: string): void; label: string }) {
  const t = useTranslate()
  return (
    <span
      className={styles.presets}
      role="group"
      aria-label={t('explore.color.presets', 'Theme colors for {label}', { label })}
    >
      {presets.map((color) => (
        <button
          key={color}
          type="button"
          title={color}
          aria-label={color}
          aria-pressed={color.toLowerCase() === value.toLowerCase()}
          onClick={() => onChange(color.toLowerCase())}
        >
          <i style={{ background: color }} />
        </button>
      ))}
    </span>
  )
}

/** A fixed color, stored as red, green, blue and opacity (CTRL-109). */
export function ColorControl({
  value,
  onChange,
  label,
  hasOpacity = false,
}: {
  value: Rgb
  onChange(color: Rgb): void
  label: string
  hasOpacity?: boolean
}) {
  const t = useTranslate()
  const hex = `#${toHexByte(value.r)}${toHexByte(value.g)}${toHexByte(value.b)}`
  return (
    <span className={styles.color}>
      <input
        type="color"
        aria-label={label}
        value={hex}
        onChange={({ target }) => onChange({ ...parseHexColor(target.value), a: value.a ?? 1 })}
      />
      <code>{hex}</code>
      <Presets label={label} value={hex} onChange={(next) => onChange({ ...parseHexColor(next), a: value.a ?? 1 })} />
      {hasOpacity && (
        <NumberInput
          aria-label={t('explore.color.opacity', 'Opacity of {label}', { label })}
          value={value.a ?? 1}
          min={0}
          max={1}
          step={0.1}
          onChange={(a) => onChange({ ...value, a: a ?? 1 })}
        />
      )}
    </span>
  )
}

/** A hex color, or none: the chart then chooses one. */
export function HexColorControl({
  value,
  onChange,
  label,
}: {
  value: string | null
  onChange(color: string | null): void
  label: string
}) {
  const t = useTranslate()
  return (
    <div className={styles.hexColor}>
      <Checkbox
        label={t('explore.color.automatic', 'Automatic')}
        checked={value === null}
        onChange={(isAutomatic) => onChange(isAutomatic ? null : initialColor)}
      />
      {value !== null && (
        <span className={styles.color}>
          <input type="color" aria-label={label} value={value} onChange={({ target }) => onChange(target.value)} />
          <Presets label={label} value={value} onChange={onChange} />
        </span>
      )}
    </div>
  )
}

const initialColor = '#93908d'
