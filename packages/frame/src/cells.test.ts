import { describe as suite, expect, it } from 'vitest'
import type { Column, Frame, PlainText, TextColumn } from './frame.ts'
import {
  cellAt,
  buildColumn,
  concat,
  decodeMessage,
  encodeMessage,
  describeFrame,
  buildFrame,
  filterValueAt,
  genericOf,
  numberAt,
  toRows,
  slice,
  take,
  textAt,
} from './index.ts'
import { packTexts } from './utf8.ts'

const cells = (column: Column, rows: number) => Array.from({ length: rows }, (_, row) => cellAt(column, row))

suite('columnOf', () => {
  it('keeps integers in the narrowest array, null as a cleared bit', () => {
    const column = buildColumn([1, null, -128], 'n')
    expect(column).toMatchObject({ kind: 'number', data: new Int8Array([1, 0, -128]) })
    expect(column.validity).toEqual(new Uint8Array([0b11111101]))
    expect(cells(column, 3)).toEqual([1, null, -128])
    expect(buildColumn([40_000], 'n')).toMatchObject({ data: new Int32Array([40_000]) })
    expect(buildColumn([4_000_000_000], 'n')).toMatchObject({ data: new Uint32Array([4_000_000_000]) })
    expect(buildColumn([0.5, 1], 'n')).toMatchObject({ data: new Float64Array([0.5, 1]) })
  })
  it('keeps integers beyond 32 bits exact, and reads those beyond 2^53 as bigint', () => {
    const column = buildColumn([9_007_199_254_740_991, 9_223_372_036_854_775_807n, null], 'n')
    expect(column.kind).toBe('bigint')
    expect(cells(column, 3)).toEqual([9_007_199_254_740_991, 9_223_372_036_854_775_807n, null])
    expect(textAt(column, 1)).toBe('9223372036854775807')
    expect(numberAt(column, 1)).toBe(2 ** 63)
  })
  it('writes bigints over 64 bits as numeric text', () => {
    const column = buildColumn([2n ** 80n, null], 'n')
    expect(column).toMatchObject({ kind: 'string', numeric: true })
    expect([genericOf(column), textAt(column, 0), numberAt(column, 0)]).toEqual([0, String(2n ** 80n), 2 ** 80])
  })
  it('makes a dictionary of repeated texts and plain text of others, ASCII or not', () => {
    const few = buildColumn(['a', 'b', 'a', 'b', null, 'ä'], 't')
    expect(few).toMatchObject({ kind: 'string', text: { as: 'dictionary', words: { ascii: false } } })
    expect(cells(few, 6)).toEqual(['a', 'b', 'a', 'b', null, 'ä'])
    const many = buildColumn(['日本', '', null, 'x🙂'], 't')
    expect(many).toMatchObject({ text: { as: 'plain', ascii: false } })
    expect(cells(many, 4)).toEqual(['日本', '', null, 'x🙂'])
    expect(buildColumn(['ab', 'c'], 't')).toMatchObject({ text: { as: 'plain', ascii: true } })
  })
  it('reads a mixed column back unchanged, lists as JSON text', () => {
    const column = buildColumn([1, 'Total', [1, 2], null, true], 'x')
    expect(cells(column, 5)).toEqual([1, 'Total', '[1,2]', null, true])
    expect(genericOf(column)).toBe(1)
  })
  it('stores dates as times, and a column of nulls as text', () => {
    expect(buildColumn([new Date(5), null], 'd')).toMatchObject({ kind: 'time', unit: 'datetime' })
    expect(buildColumn([null, undefined, NaN], 'e').kind).toBe('string')
  })
})

suite('cellAt and textAt', () => {
  const decimal: Column = {
    name: 'd',
    type: 'DECIMAL(18,2)',
    kind: 'decimal',
    scale: 2,
    validity: null,
    data: BigInt64Array.of(150n, -1n, 123_456_789_012_345_678n, 0n),
  }
  it('reads a decimal as a number when a double is exact, otherwise as text', () => {
    expect(cells(decimal, 4)).toEqual([1.5, -0.01, '1234567890123456.78', 0])
    expect([0, 1, 2, 3].map((row) => textAt(decimal, row))).toEqual(['1.50', '-0.01', '1234567890123456.78', '0.00'])
    expect(numberAt(decimal, 2)).toBe(1234567890123456.8)
  })
  it('prints times by unit, with their microseconds', () => {
    const time = (unit: 'date' | 'datetime' | 'zoned', ms: number): Column => ({
      name: 't',
      type: null,
      kind: 'time',
      unit,
      validity: null,
      data: Float64Array.of(ms),
    })
    expect(textAt(time('date', -86_400_000), 0)).toBe('1969-12-31')
    expect(textAt(time('datetime', 1582982055678.901), 0)).toBe('2020-02-29T13:14:15.678901')
    expect(textAt(time('zoned', -1000), 0)).toBe('1969-12-31T23:59:59+00:00')
    expect(textAt(time('datetime', -62_135_596_800_000), 0)).toBe('0001-01-01T00:00:00')
    expect(cellAt(time('datetime', Infinity), 0)).toBe(null)
  })
  it('treats row keys as data, including __proto__', () => {
    const frame = buildFrame({ a: [1] })
    frame.columns[0]!.name = '__proto__'
    const [row] = toRows(frame)
    expect(Object.keys(row!)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype)
  })
})

suite('concat and take', () => {
  it('concatenates columns of different widths, dictionaries and null bitmaps', () => {
    const one = buildFrame({ n: [1, 2], t: ['a', null], k: ['u', 'u'] })
    const two = buildFrame({ n: [70_000, null], t: ['é', 'b'], k: ['v', 'v'] })
    const none = buildFrame({ n: [], t: [], k: [] })
    expect(toRows(concat([one, none, two]))).toEqual([...toRows(one), ...toRows(two)])
    expect(concat([one, two]).columns[0]).toMatchObject({ data: new Int32Array([1, 2, 70_000, 0]) })
    expect(concat([buildFrame({ n: [1] }), buildFrame({ n: [0.5] })]).columns[0]).toMatchObject({
      data: new Float64Array([1, 0.5]),
    })
    expect(concat([buildFrame({ n: [4e9] }), buildFrame({ n: [-1] })]).columns[0]).toMatchObject({
      data: new Float64Array([4e9, -1]),
    })
    expect(concat([none, none])).toBe(none)
    expect(() => concat([one, buildFrame({ n: [1] })])).toThrow('different columns')
  })
  it('regression: keeps the digits of integers that exceed 64 bits in some frames only', () => {
    const joined = concat([buildFrame({ n: [9007199254740993n, null] }), buildFrame({ n: [18446744073709551615n] })])
    expect(joined.columns[0]).toMatchObject({ kind: 'string', numeric: true })
    expect(cells(joined.columns[0]!, 3)).toEqual(['9007199254740993', null, '18446744073709551615'])
  })
  it('regression: times keep their nanoseconds when rows are taken, joined and sent', () => {
    const times = (...nanos: number[]): Frame => ({
      rows: nanos.length,
      columns: [
        {
          name: 't',
          kind: 'time',
          type: 'TIMESTAMP_NS',
          unit: 'datetime',
          validity: null,
          data: Float64Array.from(nanos, () => Date.UTC(2024, 1, 29, 23, 59, 59, 999)),
          ...(nanos.some((each) => each > 0) && { nanos: Uint16Array.from(nanos) }),
        },
      ],
    })
    const texts = ({ rows, columns }: Frame) => Array.from({ length: rows }, (_, row) => textAt(columns[0]!, row))
    const [one, none, other] = ['.999000001', '.999000', '.999000999'].map((end) => `2024-02-29T23:59:59${end}`)
    const joined = concat([times(1, 0), times(0), times(999)])
    expect(texts(joined)).toEqual([one, none, none, other])
    expect(texts(slice(joined, 3))).toEqual([other])
    expect(texts(decodeMessage(encodeMessage({ type: 'frame' }, joined)).frame!)).toEqual([one, none, none, other])
    expect(texts(concat([times(0), times(0)]))).toEqual([none, none])
  })
  it('regression: filter values keep all digits, and NaN, infinities and times are text', () => {
    const read = (values: unknown[]) => values.map((_, row) => filterValueAt(buildColumn(values, 'v'), row))
    expect(read([9007199254740993n, 5n, null])).toEqual(['9007199254740993', 5, null])
    expect(read([new Date(Date.UTC(2024, 1, 29, 12)), null])).toEqual(['2024-02-29 12:00:00', null])
    const floats = { name: 'v', kind: 'number', type: null, validity: null, data: Float64Array.of(NaN, -Infinity, 0.1) }
    expect([0, 1, 2].map((row) => filterValueAt(floats as Column, row))).toEqual(['NaN', '-Infinity', 0.1])
  })
  it('keeps the words of the last frame when the dictionary has only grown, and otherwise merges words', () => {
    const grown = packTexts(['u', 'v'])
    const frame = (words: PlainText, ...codes: number[]): Frame => ({
      rows: codes.length,
      columns: [
        {
          name: 'k',
          type: null,
          kind: 'string',
          validity: null,
          text: { as: 'dictionary', codes: Uint16Array.from(codes), words },
        },
      ],
    })
    const joined = concat([frame(packTexts(['u']), 0), frame(packTexts(['u', 'v']), 1, 0), frame(grown, 1)])
    expect(cells(joined.columns[0]!, 4)).toEqual(['u', 'v', 'u', 'v'])
    expect(joined.columns[0]).toMatchObject({ text: { codes: Uint8Array.of(0, 1, 0, 1) } })
    expect((joined.columns[0] as TextColumn).text).toHaveProperty('words', grown)
    const other = concat([frame(packTexts(['v']), 0), frame(packTexts(['uu', 'v']), 0, 1)])
    expect(cells(other.columns[0]!, 3)).toEqual(['v', 'uu', 'v'])
  })
  it('converts the cells when the kinds differ', () => {
    expect(toRows(concat([buildFrame({ n: [null] }), buildFrame({ n: [3] })]))).toEqual([{ n: null }, { n: 3 }])
  })
  it('brings decimals to a common scale', () => {
    const column = (scale: number, value: bigint): Column => ({
      name: 'd',
      type: null,
      kind: 'decimal',
      scale,
      validity: null,
      data: BigInt64Array.of(value),
    })
    const joined = concat([
      { rows: 1, columns: [column(1, 15n)] },
      { rows: 1, columns: [column(3, 2n)] },
    ])
    expect([textAt(joined.columns[0]!, 0), textAt(joined.columns[0]!, 1)]).toEqual(['1.500', '0.002'])
  })
  it('accepts rows in any order, -1 as null', () => {
    const { columns } = buildFrame({ n: [1, 2, 3], t: ['x', 'yy', 'zzz'], k: ['u', 'u', null] })
    expect(columns.map((column) => cells(take(column, [2, -1, 0]), 3))).toEqual([
      [3, null, 1],
      ['zzz', null, 'x'],
      [null, null, 'u'],
    ])
    expect(toRows(slice(buildFrame({ n: [1, 2, 3] }), 1, 9))).toEqual([{ n: 2 }, { n: 3 }])
  })
})

it('describes columns with a duplicate name as text, like the recorded responses', () => {
  const { columns } = buildFrame({ lat: [1], n: [2] })
  expect(describeFrame({ columns: [...columns, columns[0]!] }).map(({ generic }) => generic)).toEqual([1, 0, 1])
})
