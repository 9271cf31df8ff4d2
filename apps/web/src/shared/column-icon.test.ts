import { expect, it } from 'vitest'
import { columnIcon } from './column-icon.ts'

const iconOf = (type_generic: number | null) => columnIcon({ type_generic, is_dttm: false })

it('CTRL-018: an unknown type has the text icon', () => {
  expect([0, 1, 2, 3].map(iconOf)).toEqual(['number', 'text', 'clock', 'boolean'])
  expect([null, 4, 99].map(iconOf)).toEqual(['text', 'text', 'text'])
})
