import { expect, it } from 'vitest'
import { diffLines } from './line-difference.ts'

const marks = { same: ' ', removed: '-', added: '+', omitted: '' } as const
const show = (before: string, after: string) => diffLines(before, after).map(({ how, text }) => `${marks[how]}${text}`)

it('shows changed lines with the lines around them', () => {
  expect(show('SELECT a\nFROM t\nWHERE x', 'SELECT a, b\nFROM t\nWHERE x')).toEqual([
    '-SELECT a',
    '+SELECT a, b',
    ' FROM t',
    ' WHERE x',
  ])
  const lines = Array.from({ length: 20 }, (_, n) => `line ${n}`)
  expect(show(lines.join('\n'), lines.toSpliced(9, 1, 'other').join('\r\n'))).toEqual([
    '…',
    ' line 7',
    ' line 8',
    '-line 9',
    '+other',
    ' line 10',
    ' line 11',
    '…',
  ])
  expect(show('', 'a\nb')).toEqual(['+a', '+b'])
  expect(show('a\nb', '')).toEqual(['-a', '-b'])
  expect(show('a\nb\nc', 'b\nc\na')).toEqual(['-a', ' b', ' c', '+a'])
})

it('is quick with texts that have nothing in common', () => {
  const text = (name: string) => Array.from({ length: 2000 }, (_, n) => `${name} ${n}`).join('\n')
  expect(diffLines(text('a'), text('b'))).toHaveLength(4000)
})
