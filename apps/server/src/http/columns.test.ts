import { expect, it } from 'vitest'
import { chosenColumns, labelOf, labelsOf, partsOf, selectionOf } from './columns.ts'

it('labels columns by their words, letters after digits included', () => {
  expect(labelOf('changed_by.first_name')).toBe('Changed By First Name')
  expect(labelOf('metrics.d3format')).toBe('Metrics D3Format')
  expect(labelsOf(['json', 'id'], { json: 'JSON' })).toEqual({ id: 'Id', json: 'JSON' })
})

it('drops columns that are not allowed and takes all when none is left', () => {
  const allowed = ['id', 'owners.id', 'owners.first_name', 'sql']
  expect(chosenColumns(allowed, ['sql', 'nope'])).toEqual(['sql'])
  expect(chosenColumns(allowed, ['owners'])).toEqual(['owners.id', 'owners.first_name'])
  expect(chosenColumns(allowed, ['nope'])).toEqual(allowed)
  expect(chosenColumns(allowed, undefined)).toEqual(allowed)
})

it('gives the parts asked of objects, of lists and of nothing', () => {
  const owners = [{ id: 1, first_name: 'Ada', email: 'a@x' }]
  const parts = selectionOf(['owners.id', 'owners.first_name']).get('owners') ?? null
  expect(partsOf(owners, parts)).toEqual([{ id: 1, first_name: 'Ada' }])
  expect(partsOf(null, parts)).toBeNull()
  expect(partsOf('text', null)).toBe('text')
})

it('names of the input are looked up as own keys only', () => {
  const selection = selectionOf(['__proto__.polluted', 'constructor'])
  expect(selection.get('__proto__')).toEqual(new Set(['polluted']))
  expect(partsOf({}, new Set(['constructor']))).toEqual({ constructor: null })
})
