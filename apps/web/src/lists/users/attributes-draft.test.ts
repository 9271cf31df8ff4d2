import { expect, it } from 'vitest'
import { findInvalidRow, fromDraft, toDraft } from './attributes-draft.ts'

it('attributes survive the form; empty rows are left out and equal names are joined', () => {
  const attributes = { region: ['North', 'South'], level: ['2'] }
  expect(fromDraft(toDraft(attributes))).toEqual(attributes)
  const rows = [
    { name: ' region ', values: ['North'] },
    { name: '', values: [] },
    { name: 'region', values: ['North', 'East'] },
    { name: 'empty', values: [] },
  ]
  expect(fromDraft(rows)).toEqual({ region: ['North', 'East'] })
})

it('a row needs a name that templates can use, unless it is empty', () => {
  expect(findInvalidRow([{ name: '', values: [] }])).toBe(-1)
  expect(findInvalidRow([{ name: 'region', values: ['x'] }])).toBe(-1)
  expect(
    findInvalidRow([
      { name: 'region', values: ['x'] },
      { name: '', values: ['x'] },
    ]),
  ).toBe(1)
  expect(findInvalidRow([{ name: '2nd region', values: ['x'] }])).toBe(0)
})
