import { describe, expect, it } from 'vitest'
import { moveSelection, toCellRange, selectionAt, type KeyPress, type Selection } from './selection.ts'

const size = { rows: 100, columns: 4 }
const press = (from: Selection, ...keys: Partial<KeyPress>[]): Selection =>
  keys.reduce<Selection>(
    (now, key) => moveSelection(now, { key: '', ctrl: false, shift: false, ...key }, size, 10) ?? now,
    from,
  )
const start = selectionAt({ row: 0, column: 1 })

describe('keys in the grid', () => {
  it('move the cursor, up into the header but not beyond it', () => {
    expect(press(start, { key: 'ArrowDown' }, { key: 'PageDown' }).at).toEqual({ row: 11, column: 1 })
    expect(press(start, { key: 'ArrowUp' }, { key: 'ArrowUp' }).at).toEqual({ row: -1, column: 1 })
    expect(press(start, { key: 'End', ctrl: true }).at).toEqual({ row: 99, column: 3 })
    expect(press(start, { key: 'ArrowRight', ctrl: true }, { key: 'ArrowRight' }).at.column).toBe(3)
  })
  it('move through a header with several rows', () => {
    const up = { key: 'ArrowUp', ctrl: false, shift: false }
    const walked = [1, 2, 3].reduce<Selection>((now) => moveSelection(now, up, { ...size, heads: 2 }, 10) ?? now, start)
    expect(walked.at).toEqual({ row: -2, column: 1 })
  })
  it('extend a rectangle from its anchor with Shift, but never into the header', () => {
    const stretched = press(start, { key: 'ArrowDown', shift: true }, { key: 'ArrowLeft', shift: true })
    expect(toCellRange(stretched, size)).toEqual({ top: 0, bottom: 1, left: 0, right: 1 })
    expect(press(start, { key: 'ArrowUp', shift: true }).at.row).toBe(0)
  })
  it('select whole columns, rows and everything', () => {
    const columns = press(start, { key: ' ', ctrl: true }, { key: 'ArrowRight', shift: true })
    expect(toCellRange(columns, size)).toEqual({ top: 0, bottom: 99, left: 1, right: 2 })
    expect(toCellRange(press(start, { key: ' ', shift: true }), size)).toEqual({ top: 0, bottom: 0, left: 0, right: 3 })
    expect(toCellRange(press(start, { key: 'a', ctrl: true }), size)).toEqual({ top: 0, bottom: 99, left: 0, right: 3 })
  })
  it('are not handled if they have no meaning in the grid', () => {
    expect(moveSelection(start, { key: 'x', ctrl: false, shift: false }, size, 10)).toBeNull()
  })
})

it('has no selection in a grid without rows', () => {
  expect(toCellRange(start, { rows: 0, columns: 4 })).toBeNull()
})
