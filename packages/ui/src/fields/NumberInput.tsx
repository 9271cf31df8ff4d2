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
 * Parses `1,234.5`, `1.234,5` if the comma is the local decimal separator, and plain `1234.5`; undefined if it is not a number.
 */
export function readNumber(text: string, decimal = decimalSign): number | null | undefined {
  const tidy = text.trim().replace(groupSeparators, '')
  if (tidy === '') return null
  const plain =
    decimal === ',' && tidy.includes(',') ? tidy.replaceAll('.', '').replace(',', '.') : tidy.replaceAll(',', '')
  const number = Number(plain)
  return Number.isFinite(number) ? number : undefined
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
