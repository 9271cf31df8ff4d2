import { cellAt, buildColumn, buildFrame, textAt, type Column } from '@parquetry/frame'
import { describe, expect, it } from 'vitest'
import { estimateViewMs, computeRowView, type ColumnFilter, type ViewSpec } from './row-view.ts'

const price: Column = {
  name: 'price',
  type: 'DECIMAL(10,2)',
  kind: 'decimal',
  scale: 2,
  validity: null,
  data: BigInt64Array.of(150n, 100n, -5n, 101n),
}
const frame = buildFrame({
  n: [3, null, 1, 2],
  t: ['b', 'ä', null, 'a'],
  big: [9007199254740993n, 9007199254740992n, null, -1n],
  at: [new Date('2026-11-21T10:00:00Z'), new Date('2026-11-01T00:00:00Z'), new Date('2025-01-01T00:00:00Z'), null],
})
frame.columns.push(price)
const plain: ViewSpec = { sorting: null, filters: [], search: '', searched: [0, 1, 2, 3, 4] }
const rows = (spec: Partial<ViewSpec>) => [...(computeRowView(frame, { ...plain, ...spec }) ?? [])]
const sorted = (column: number, descending: boolean) =>
  rows({ sorting: { column, descending } }).map((row) => cellAt(frame.columns[column]!, row))
const filtered = (column: number, operator: ColumnFilter['operator'], value = '') =>
  rows({ filters: [{ column, operator, value }] })

describe('sorting', () => {
  it('orders numbers, text and integers beyond 2^53, with nulls last in both directions', () => {
    expect(sorted(0, false)).toEqual([1, 2, 3, null])
    expect(sorted(0, true)).toEqual([3, 2, 1, null])
    expect(sorted(1, false)).toEqual(['a', 'ä', 'b', null])
    expect(sorted(2, true).slice(0, 2).map(String)).toEqual(['9007199254740993', '9007199254740992'])
  })
  it('keeps the order of equal rows', () => {
    const same = buildFrame({ a: ['x', 'y', 'x', 'y', 'x'] })
    expect([...(computeRowView(same, { ...plain, sorting: { column: 0, descending: true } }) ?? [])]).toEqual([
      1, 3, 0, 2, 4,
    ])
  })
  it('leaves the rows unchanged when nothing is requested', () => {
    expect(computeRowView(frame, plain)).toBeUndefined()
    expect(
      computeRowView(frame, { ...plain, search: '  ', filters: [{ column: 0, operator: 'is', value: '' }] }),
    ).toBeUndefined()
  })
})

describe('filters', () => {
  it('distinguish null from all other values', () => {
    expect(filtered(0, 'isNull')).toEqual([1])
    expect(filtered(1, 'isNotNull')).toEqual([0, 1, 3])
    expect(filtered(1, 'isNot', 'b')).toEqual([1, 2, 3])
  })
  it('compare long integers and decimals exactly', () => {
    expect(filtered(2, 'is', '9007199254740992')).toEqual([1])
    expect(filtered(2, 'above', '9007199254740992')).toEqual([0])
    expect(filtered(4, 'above', '1.005')).toEqual([0, 3])
    expect(filtered(4, 'is', '1.5')).toEqual([0])
    expect(filtered(4, 'below', 'words')).toEqual([])
  })
  it('treat a partial time as its whole period', () => {
    expect(filtered(3, 'is', '2026-11')).toEqual([0, 1])
    expect(filtered(3, 'above', '2026-11-01 00:00')).toEqual([0])
  })
  it('are combined, ignoring case', () => {
    const filters: ColumnFilter[] = [
      { column: 0, operator: 'below', value: '3' },
      { column: 1, operator: 'contains', value: 'A' },
    ]
    expect(rows({ filters })).toEqual([3])
  })
})

it('searches only the visible columns', () => {
  expect(rows({ search: '9007' })).toEqual([0, 1])
  expect(rows({ search: '9007', searched: [0, 1] })).toEqual([])
  expect(rows({ search: 'B', sorting: { column: 0, descending: false } })).toEqual([0])
})

it('matches the same rows in dictionary and plain text', () => {
  const values = Array.from({ length: 100 }, (_, row) => `word ${row % 7}`)
  const words = { rows: 100, columns: [buildColumn(values, 'w')] }
  const found = computeRowView(words, { ...plain, searched: [0], search: 'WORD 3' })
  expect([...(found ?? [])].every((row) => textAt(words.columns[0]!, row) === 'word 3')).toBe(true)
  expect(found).toHaveLength(14)
})

it('runs a search through 100,000 rows of 50 columns in the worker, but not through a thousand rows', () => {
  const wide = { rows: 100_000, columns: frame.columns }
  const searched = Array.from({ length: 50 }, (_, index) => index)
  expect(estimateViewMs(wide, { ...plain, search: 'x', searched })).toBeGreaterThan(50)
  expect(estimateViewMs({ ...wide, rows: 1000 }, { ...plain, search: 'x', searched })).toBeLessThan(50)
})
