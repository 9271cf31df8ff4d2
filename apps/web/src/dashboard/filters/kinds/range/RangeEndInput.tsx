import { readExactNumber } from '@parquetry/model'
import { TextInput, toPlainNumber } from '@parquetry/ui'
import { useState, type ComponentProps, type KeyboardEvent } from 'react'
import type { RangeEnd } from './range.ts'

interface RangeEndInputProps extends Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange'> {
  value: RangeEnd
  /** Null for an empty field. Not called for text that is not a number. */
  onChange(value: RangeEnd): void
}

/** Undefined for text that is not a number. */
const readTyped = (text: string): RangeEnd | undefined => {
  const plain = toPlainNumber(text)
  return plain === '' ? null : plain === undefined ? undefined : (readExactNumber(plain) ?? undefined)
}

/** A field for a number of any length: unlike `NumberInput` it keeps every digit. Arrow keys step by one, with Shift by ten. */
export function RangeEndInput({ value, onChange, ...rest }: RangeEndInputProps) {
  const [draft, setDraft] = useState<string | null>(null)
  const shown = draft ?? String(value ?? '')
  const typed = readTyped(shown)

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    rest.onKeyDown?.(event)
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    setDraft(null)
    onChange(addTo(typed ?? value ?? 0, (event.shiftKey ? 10 : 1) * (event.key === 'ArrowUp' ? 1 : -1)))
  }
  return (
    <TextInput
      {...rest}
      role="spinbutton"
      inputMode="decimal"
      aria-valuenow={typeof typed === 'number' ? typed : undefined}
      aria-valuetext={shown === '' ? undefined : shown}
      value={shown}
      onChange={(text) => {
        setDraft(text)
        const end = readTyped(text)
        if (end !== undefined) onChange(end)
      }}
      onBlur={(event) => {
        setDraft(null)
        rest.onBlur?.(event)
      }}
      onKeyDown={onKeyDown}
    />
  )
}

function addTo(value: number | string, step: number): RangeEnd {
  if (/^[-+]?\d+$/.test(String(value))) return readExactNumber(String(BigInt(value) + BigInt(step)))
  // Rounds floating-point artifacts of sums such as 0.1 + 0.2. A fraction of more digits than a number holds stays as it is.
  return typeof value === 'number' ? Number((value + step).toPrecision(12)) : value
}
