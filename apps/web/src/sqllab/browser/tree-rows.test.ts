import { expect, it } from 'vitest'
import { rowAt, rowCount, findRowIndex } from './tree-rows.ts'

const open = [
  { index: 1, rows: 3 },
  { index: 4, rows: 1 },
]

it('places the rows of expanded tables below them', () => {
  expect(rowCount(6, open)).toBe(10)
  const rows = Array.from({ length: 10 }, (_, row) => rowAt(row, open))
  expect(rows.map(({ table, child }) => `${table}.${child}`)).toEqual([
    '0.-1',
    '1.-1',
    '1.0',
    '1.1',
    '1.2',
    '2.-1',
    '3.-1',
    '4.-1',
    '4.0',
    '5.-1',
  ])
})

it('maps each row to its index and back', () => {
  for (let row = 0; row < rowCount(6, open); row += 1) expect(findRowIndex(rowAt(row, open), open)).toBe(row)
})

it('finds a row among 20,000 tables', () => {
  expect(rowAt(19_999 + 4, open)).toEqual({ table: 19_999, child: -1 })
})
