import { describe, expect, it } from 'vitest'
import { moveCell, pasteCells, parseTsv, parseBoolean, formatTsv, type SheetColumn } from './sheet.ts'

interface Row {
  name: string
  label: string
  time: boolean
}
const columns: SheetColumn<Row>[] = [
  { id: 'name', header: 'Name', width: 100, kind: 'text', get: ({ name }) => name, isReadOnly: () => true },
  { id: 'label', header: 'Label', width: 100, kind: 'text', get: ({ label }) => label },
  { id: 'time', header: 'Time', width: 60, kind: 'check', get: ({ time }) => time },
]
const rows: Row[] = ['a', 'b', 'c'].map((name) => ({ name, label: '', time: false }))

describe('spreadsheet cells', () => {
  it('are parsed with quotes, line breaks within cells, and a trailing line break', () => {
    expect(parseTsv('a\tb\r\nc\td\r\n')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    expect(parseTsv('"two\nlines"\t"say ""x"""\n\t')).toEqual([
      ['two\nlines', 'say "x"'],
      ['', ''],
    ])
    expect(parseTsv('"no end\tb')).toEqual([['"no end', 'b']])
    expect(parseTsv('one')).toEqual([['one']])
  })
  it('survive a round trip', () => {
    const cells = [
      ['a\tb', 'c'],
      ['d "e"', 'f\ng'],
    ]
    expect(parseTsv(formatTsv(cells))).toEqual(cells)
    expect(formatTsv([[true, false]])).toBe('TRUE\tFALSE')
  })
  it('fill down and right from the corner, within the existing rows, and skip fixed cells', () => {
    const range = { top: 1, bottom: 1, left: 0, right: 0 }
    expect(pasteCells(columns, rows, range, 'x\tLabel b\tyes\ny\tLabel c\tno\nz\tlost\tyes')).toEqual([
      { row: 1, column: 1, value: 'Label b' },
      { row: 1, column: 2, value: true },
      { row: 2, column: 1, value: 'Label c' },
    ])
  })
  it('fill the selection with a single pasted cell', () => {
    const range = { top: 0, bottom: 2, left: 1, right: 1 }
    expect(pasteCells(columns, rows, range, 'same').map(({ row, value }) => [row, value])).toEqual([
      [0, 'same'],
      [1, 'same'],
      [2, 'same'],
    ])
  })
  it('leave a checkbox unchanged for unrecognized text', () => {
    expect(parseBoolean('maybe')).toBeUndefined()
    expect(pasteCells(columns, rows, { top: 0, bottom: 0, left: 2, right: 2 }, 'maybe')).toEqual([])
  })
})

it('navigation keys stay within the sheet', () => {
  const size = { ctrl: false, rows: 3, columns: 3, page: 10 }
  expect(moveCell({ row: 0, column: 0 }, 'ArrowUp', size)).toEqual({ row: 0, column: 0 })
  expect(moveCell({ row: 0, column: 0 }, 'PageDown', size)).toEqual({ row: 2, column: 0 })
  expect(moveCell({ row: 1, column: 1 }, 'End', { ...size, ctrl: true })).toEqual({ row: 2, column: 2 })
  expect(moveCell({ row: 1, column: 1 }, 'a', size)).toBeUndefined()
})
