import { columnOf, type Column } from '@parquetry/frame'
import { describe, expect, it } from 'vitest'
import { indentedJson, isLong, shownText } from './cell-text.ts'

const zoned = (iso: string): Column => ({
  name: 'at',
  type: 'TIMESTAMP WITH TIME ZONE',
  kind: 'time',
  unit: 'zoned',
  validity: null,
  data: Float64Array.of(Date.parse(iso)),
})
const at = (iso: string, zone: string) => shownText(zoned(iso), 0, zone)

describe('what a cell shows', () => {
  it('null and empty text are two things', () => {
    expect(shownText(columnOf(['', null], 'a'), 0, 'UTC')).toBe('')
    expect(shownText(columnOf(['', null], 'a'), 1, 'UTC')).toBeNull()
  })
  it('integers beyond 2^53 keep every digit', () => {
    expect(shownText(columnOf([9007199254740993n], 'a'), 0, 'UTC')).toBe('9007199254740993')
  })
  it('decimals keep their zeros', () => {
    const price: Column = {
      name: 'p',
      type: 'DECIMAL',
      kind: 'decimal',
      scale: 2,
      validity: null,
      data: BigInt64Array.of(150n),
    }
    expect(shownText(price, 0, 'UTC')).toBe('1.50')
  })
  it('times with a zone stand in the zone shown, over the change of daylight saving too', () => {
    expect(at('2026-03-29T00:30:00Z', 'Europe/Berlin')).toBe('2026-03-29 01:30:00')
    expect(at('2026-03-29T01:30:00.250Z', 'Europe/Berlin')).toBe('2026-03-29 03:30:00.250000')
    expect(at('2026-03-29T00:30:00Z', 'Pacific/Honolulu')).toBe('2026-03-28 14:30:00')
  })
  it('times without a zone are not moved', () => {
    const plain: Column = { ...(zoned('2026-03-29T00:30:00Z') as Extract<Column, { kind: 'time' }>), unit: 'datetime' }
    expect(shownText(plain, 0, 'Pacific/Honolulu')).toBe('2026-03-29 00:30:00')
  })
})

it('indents JSON without reading its numbers or its texts', () => {
  expect(indentedJson('{"a":[1,12345678901234567890],"b":"x,\\"y{","c":{}}')).toBe(
    '{\n  "a": [\n    1,\n    12345678901234567890\n  ],\n  "b": "x,\\"y{",\n  "c": {}\n}',
  )
})

it('knows which cells deserve the viewer', () => {
  expect([isLong('short'), isLong('two\nlines'), isLong('{"a":1}'), isLong('x'.repeat(61))]).toEqual([
    false,
    true,
    true,
    true,
  ])
})
