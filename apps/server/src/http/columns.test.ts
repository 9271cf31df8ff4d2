import { expect, it } from 'vitest'
import { chosenColumns, formatColumnLabel, buildLabels, pickFields, parseSelection } from './columns.ts'

it('capitalizes the words of column labels, including letters after digits', () => {
  expect(formatColumnLabel('changed_by.first_name')).toBe('Changed By First Name')
  expect(formatColumnLabel('metrics.d3format')).toBe('Metrics D3Format')
  expect(buildLabels(['json', 'id'], { json: 'JSON' })).toEqual({ id: 'Id', json: 'JSON' })
})

it('drops columns that are not allowed and returns all when none is left', () => {
  const allowed = ['id', 'owners.id', 'owners.first_name', 'sql']
  expect(chosenColumns(allowed, ['sql', 'nope'])).toEqual(['sql'])
  expect(chosenColumns(allowed, ['owners'])).toEqual(['owners.id', 'owners.first_name'])
  expect(chosenColumns(allowed, ['nope'])).toEqual(allowed)
  expect(chosenColumns(allowed, undefined)).toEqual(allowed)
})

it('selects the requested parts of objects, of lists and of null', () => {
  const owners = [{ id: 1, first_name: 'Ada', email: 'a@x' }]
  const parts = parseSelection(['owners.id', 'owners.first_name']).get('owners') ?? null
  expect(pickFields(owners, parts)).toEqual([{ id: 1, first_name: 'Ada' }])
  expect(pickFields(null, parts)).toBeNull()
  expect(pickFields('text', null)).toBe('text')
})

it('looks up names from the input as own properties only', () => {
  const selection = parseSelection(['__proto__.polluted', 'constructor'])
  expect(selection.get('__proto__')).toEqual(new Set(['polluted']))
  expect(pickFields({}, new Set(['constructor']))).toEqual({ constructor: null })
})
