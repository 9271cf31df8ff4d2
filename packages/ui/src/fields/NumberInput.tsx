import { useState, type ComponentProps, type KeyboardEvent } from 'react'
import { TextInput, type TextInputProps } from './TextInput.tsx'

export interface NumberInputProps
  extends
    Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'prefix' | 'size' | 'min' | 'max' | 'step'>,
    Pick<TextInputProps, 'prefix' | 'suffix'> {
  value: number | null
  /** Null for an empty field. Not called for invalid text, unless `emptyWhenInvalid` is set. */
  onChange(value: number | null): void
  /** Reports invalid text as null. */
  emptyWhenInvalid?: boolean
  min?: number
  max?: number
  /** Step of the arrow keys, 1 by default; ten steps with Shift. */
  step?: number
  integer?: boolean
}

const decimalSign = (1.1).toLocaleString(navigator.language).charAt(1)
const groupSeparators = /[\s'’]/g

/**
 * Parses plain, local and foreign notation: `1234.5`, `1,234.5`, `1.234,5`, `1 234,5`. A comma separates thousands only where it
 * can: before three digits, and not after a leading zero. `1,234` is both, so the local notation decides. A single dot is always
 * the decimal sign, because fields show numbers with one.
 * @returns undefined for anything else, null for blank text
 */
export function readNumber(text: string, decimal = decimalSign): number | null | undefined {
  const plain = toPlainNumber(text, decimal)
  if (plain === '') return null
  const number = Number(plain)
  return Number.isFinite(number) ? number : undefined
}

/**
 * Text of a typed number with a point and without group separators. Keeps every digit; undefined if the separators are misplaced,
 * otherwise not checked.
 */
export function toPlainNumber(text: string, decimal = decimalSign): string | undefined {
  const tidy = text.trim().replace(groupSeparators, '')
  const sign = findDecimalSign(tidy, decimal)
  const group = sign === ',' ? '.' : ','
  const [whole = ''] = tidy.split(sign)
  if (tidy.includes(group) && !isGrouped(whole, group)) return undefined
  return tidy.replaceAll(group, '').replace(sign, '.')
}

/** Returns the sign before the fraction, or that would be there; the other one separates thousands. */
function findDecimalSign(number: string, local: string): '.' | ',' {
  const [dots, commas] = ['.', ','].map((sign) => number.split(sign).length - 1) as [number, number]
  if (dots > 0 && commas > 0) return number.lastIndexOf(',') > number.lastIndexOf('.') ? ',' : '.'
  if (commas === 1) return local === ',' || !isGrouped(number, ',') ? ',' : '.'
  return dots > 1 ? ',' : '.'
}

/** True for whole numbers such as `1,234,567` and, as in India, `12,34,567`. */
const isGrouped = (whole: string, group: string): boolean => {
  const [first = '', ...others] = whole.replace(/^[-+]/, '').split(group)
  const isTail = others.every(
    (digits, index) =>
      /^\d+$/.test(digits) && (digits.length === 3 || (digits.length === 2 && index < others.length - 1)),
  )
  return /^[1-9]\d{0,2}$/.test(first) && isTail
}

const inside = (value: number, min = -Infinity, max = Infinity): number => Math.min(max, Math.max(min, value))

/** A text field for a number: accepts local and plain decimals, arrow keys step, limits apply on blur. */
export function NumberInput({
  value,
  onChange,
  min,
  max,
  step = 1,
  integer,
  emptyWhenInvalid,
  ...rest
}: NumberInputProps) {
  const [draft, setDraft] = useState<string | null>(null)
  const shown = draft ?? (value === null ? '' : String(value))

  const type = (text: string): void => {
    setDraft(text)
    const read = readNumber(text)
    const number = read === undefined && emptyWhenInvalid ? null : read
    if (number === undefined || (integer && number !== null && !Number.isInteger(number))) return
    if (number === null || inside(number, min, max) === number) onChange(number)
  }
  const finish = (): void => {
    const number = readNumber(shown)
    setDraft(null)
    if (draft === null || number == null) return
    const next = inside(integer ? Math.round(number) : number, min, max)
    if (next !== value) onChange(next)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    rest.onKeyDown?.(event)
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    const by = step * (event.shiftKey ? 10 : 1) * (event.key === 'ArrowUp' ? 1 : -1)
    setDraft(null)
    // Rounds floating-point artifacts of sums such as 0.1 + 0.2.
    onChange(inside(Number(((readNumber(shown) ?? value ?? 0) + by).toPrecision(12)), min, max))
  }
  const number = readNumber(shown)
  return (
    <TextInput
      {...rest}
      role="spinbutton"
      inputMode={integer ? 'numeric' : 'decimal'}
      aria-valuenow={number ?? undefined}
      aria-valuemin={min}
      aria-valuemax={max}
      value={shown}
      onChange={type}
      onBlur={(event) => {
        finish()
        rest.onBlur?.(event)
      }}
      onKeyDown={onKeyDown}
    />
  )
}
