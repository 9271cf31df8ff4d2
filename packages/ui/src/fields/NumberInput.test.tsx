import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../show.testing.tsx'
import { NumberInput, readNumber, type NumberInputProps } from './NumberInput.tsx'

const changed = vi.fn<(value: number | null) => void>()
beforeEach(() => void changed.mockClear())

function Limit({ value: first, ...rest }: Omit<NumberInputProps, 'onChange'>) {
  const [value, setValue] = useState(first)
  return (
    <NumberInput
      {...rest}
      aria-label="Limit"
      value={value}
      onChange={(next) => {
        changed(next)
        setValue(next)
      }}
    />
  )
}
const field = page.getByRole('spinbutton', { name: 'Limit' })
/** Replaces the text of the field. */
const type = async (text: string) => {
  await userEvent.tripleClick(field)
  await userEvent.keyboard(text)
}

it('reads local and plain numbers and digit groups', () => {
  expect(['1234.5', '1,234.5', '1 234.5', "1'234.5", '-3'].map((text) => readNumber(text, '.'))).toEqual([
    1234.5, 1234.5, 1234.5, 1234.5, -3,
  ])
  expect(['1.234,5', '1234.5', '0,5'].map((text) => readNumber(text, ','))).toEqual([1234.5, 1234.5, 0.5])
  expect(['', '  ', 'ten', '1e'].map((text) => readNumber(text))).toEqual([null, null, undefined, undefined])
})

it('regression: a decimal comma is not read as a thousands separator, in whatever notation the page is', () => {
  const cases = ['0,5', '1,5', '12,75', '-3,14159', '1234,5', '0,123', '1 234,5', '1.234,5', '1.234.567,5']
  const numbers = [0.5, 1.5, 12.75, -3.14159, 1234.5, 0.123, 1234.5, 1234.5, 1234567.5]
  for (const decimal of ['.', ',']) expect(cases.map((text) => readNumber(text, decimal))).toEqual(numbers)
  expect(readNumber('1,234', '.')).toBe(1234)
  expect(readNumber('1,234', ',')).toBe(1.234)
  const grouped = ['1,234.5', '1,234,567', '12,34,567.5', '1.234.567', '-1,000.25']
  for (const decimal of ['.', ','])
    expect(grouped.map((text) => readNumber(text, decimal))).toEqual([1234.5, 1234567, 1234567.5, 1234567, -1000.25])
  for (const decimal of ['.', ','])
    for (const text of ['1,23,4', '1,2,3', ',5,', '1.2.3', '1,2.3', '0,123,456'])
      expect(readNumber(text, decimal), text).toBeUndefined()
})

it('reads back each number that it shows', () => {
  for (const number of [0.5, 1.234, 1000, -1234.567, 1e21, 1e-7, 9007199254740991])
    for (const decimal of ['.', ',']) expect(readNumber(String(number), decimal)).toBe(number)
})

it('reports each number while typing, and null when empty', async () => {
  await show(<Limit value={7} />)
  await type('12')
  await type('{Backspace}')
  expect(changed.mock.calls.flat()).toEqual([1, 12, null])
})

it('does not report invalid text, and restores the number on blur', async () => {
  await show(<Limit value={7} />)
  await type('ten')
  await expect.element(field).toHaveValue('ten')
  await userEvent.tab()
  await expect.element(field).toHaveValue('7')
  expect(changed).not.toHaveBeenCalled()
})

it('applies its limits on blur, so that 25 can be typed when the minimum is 10', async () => {
  await show(<Limit value={50} min={10} max={100} />)
  await type('25')
  expect(changed.mock.calls.flat()).toEqual([25])
  await type('5')
  await userEvent.tab()
  await expect.element(field).toHaveValue('10')
  await type('900')
  await userEvent.tab()
  await expect.element(field).toHaveValue('100')
})

it('steps with the arrows, by ten with Shift, and stops at the limits', async () => {
  await show(<Limit value={1} min={0} max={20} />)
  await field.click()
  for (const [keys, value] of [
    ['{ArrowUp}', '2'],
    ['{Shift>}{ArrowUp}{/Shift}', '12'],
    ['{Shift>}{ArrowUp}{/Shift}', '20'],
    ['{ArrowDown}', '19'],
  ] as const) {
    await userEvent.keyboard(keys)
    await expect.element(field).toHaveValue(value)
    await expect.element(field).toHaveAttribute('aria-valuenow', value)
  }
})

it('steps decimals without floating-point artifacts', async () => {
  await show(<Limit value={0.1} step={0.2} />)
  await field.click()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(field).toHaveValue('0.3')
})

it('accepts only integers with `integer`', async () => {
  await show(<Limit value={7} integer />)
  await type('2.6')
  expect(changed).toHaveBeenLastCalledWith(2)
  await userEvent.tab()
  await expect.element(field).toHaveValue('3')
})

it('CTRL-028: keeps a trailing dot or zero while typing', async () => {
  await show(<Limit value={7} />)
  await type('1.')
  await expect.element(field).toHaveValue('1.')
  await userEvent.keyboard('0')
  await expect.element(field).toHaveValue('1.0')
  await userEvent.keyboard('5')
  expect(changed.mock.lastCall).toEqual([1.05])
})
