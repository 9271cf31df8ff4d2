import { buildColumn, type Column } from '@parquetry/frame'
import { describe, expect, it } from 'vitest'
import { indentJson, isLong, formatCell } from './cell-text.ts'

const zoned = (iso: string): Column => ({
  name: 'at',
  type: 'TIMESTAMP WITH TIME ZONE',
  kind: 'time',
  unit: 'zoned',
  validity: null,
  data: Float64Array.of(Date.parse(iso)),
})
const utc = { zone: 'UTC', locale: 'en' }
const at = (iso: string, zone: string) => formatCell(zoned(iso), 0, { zone, locale: 'en' })

describe('cell text', () => {
  it('distinguishes null from empty text', () => {
    expect(formatCell(buildColumn(['', null], 'a'), 0, utc)).toBe('')
    expect(formatCell(buildColumn(['', null], 'a'), 1, utc)).toBeNull()
  })
  it('keeps every digit of integers beyond 2^53', () => {
    expect(formatCell(buildColumn([9007199254740993n], 'a'), 0, utc)).toBe('9007199254740993')
  })
  it('keeps the trailing zeros of decimals', () => {
    const price: Column = {
      name: 'p',
      type: 'DECIMAL',
      kind: 'decimal',
      scale: 2,
      validity: null,
      data: BigInt64Array.of(150n),
    }
    expect(formatCell(price, 0, utc)).toBe('1.50')
  })
  it('regression: floating-point noise was shown, and 15 digits had no separators', () => {
    const shown = (value: number, name = 'revenue', look: object = {}) =>
      formatCell(buildColumn([value, 0.5], name), 0, { ...utc, ...look })
    expect(shown(1980.8500000000001)).toBe('1,980.85')
    expect(shown(1234567.89012345)).toBe('1,234,567.89012')
    expect(shown(0.1 + 0.2)).toBe('0.3')
    expect(shown(1e-9)).toBe('1e-9')
    expect(shown(-1234.5, 'revenue', { locale: 'de' })).toBe('-1.234,5')
    expect(shown(1234.5, 'customer_id')).toBe('1234.5')
    expect(shown(11_712.346, 'revenue', { formats: { revenue: '$,.2f' } })).toBe('$11,712.35')
    expect(formatCell(buildColumn([100_000], 'revenue'), 0, utc)).toBe('100000')
  })
  it('regression: whole numbers in a column of fractions had no separators', () => {
    const column = buildColumn([2608, 2729.6, null, -1_000_000], 'revenue')
    expect([0, 1, 2, 3].map((row) => formatCell(column, row, utc))).toEqual(['2,608', '2,729.6', null, '-1,000,000'])
    const years = buildColumn([2608, null], 'amount')
    expect(formatCell(years, 0, utc)).toBe('2608')
  })
  it('shows decimals with separators and all their digits', () => {
    const price: Column = {
      name: 'p',
      type: 'DECIMAL',
      kind: 'decimal',
      scale: 2,
      validity: null,
      data: BigInt64Array.of(-123456750n, -50n),
    }
    expect([0, 1].map((row) => formatCell(price, row, utc))).toEqual(['-1,234,567.50', '-0.50'])
  })
  it('regression: months were shown with a time of day', () => {
    const times = (...isos: string[]): Column =>
      ({ ...zoned(isos[0]!), unit: 'datetime', data: Float64Array.from(isos, Date.parse) }) as Column
    expect(formatCell(times('2023-01-01T00:00Z', '2023-02-01T00:00Z'), 0, utc)).toBe('2023-01-01')
    expect(formatCell(times('2023-01-01T00:00Z', '2023-02-01T06:00Z'), 0, utc)).toBe('2023-01-01 00:00:00')
  })
  it('shows zoned times in the display zone, also across a daylight saving change', () => {
    expect(at('2026-03-29T00:30:00Z', 'Europe/Berlin')).toBe('2026-03-29 01:30:00')
    expect(at('2026-03-29T01:30:00.250Z', 'Europe/Berlin')).toBe('2026-03-29 03:30:00.250000')
    expect(at('2026-03-29T00:30:00Z', 'Pacific/Honolulu')).toBe('2026-03-28 14:30:00')
  })
  it('does not shift times without a zone', () => {
    const plain: Column = { ...(zoned('2026-03-29T00:30:00Z') as Extract<Column, { kind: 'time' }>), unit: 'datetime' }
    expect(formatCell(plain, 0, { zone: 'Pacific/Honolulu', locale: 'en' })).toBe('2026-03-29 00:30:00')
  })
})

it('indents JSON without parsing its numbers or strings', () => {
  expect(indentJson('{"a":[1,12345678901234567890],"b":"x,\\"y{","c":{}}')).toBe(
    '{\n  "a": [\n    1,\n    12345678901234567890\n  ],\n  "b": "x,\\"y{",\n  "c": {}\n}',
  )
})

it('identifies the cells that are worth the viewer', () => {
  expect([isLong('short'), isLong('two\nlines'), isLong('{"a":1}'), isLong('x'.repeat(61))]).toEqual([
    false,
    true,
    true,
    true,
  ])
})
