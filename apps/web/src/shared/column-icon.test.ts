import { expect, it } from 'vitest'
import { iconOfColumn } from './column-icon.ts'

const of = (type_generic: number | null) => iconOfColumn({ type_generic, is_dttm: false })

it('CTRL-018: a type that nobody knows has the icon of text', () => {
  expect([0, 1, 2, 3].map(of)).toEqual(['number', 'text', 'clock', 'boolean'])
  expect([null, 4, 99].map(of)).toEqual(['text', 'text', 'text'])
})
