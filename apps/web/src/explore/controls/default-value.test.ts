import { expect, it } from 'vitest'
import { parseDefaultValue } from './default-value.ts'
import { floatTypes, integerTypes } from './numeric-types.ts'

const single = (typed: string, type: string) => parseDefaultValue(typed, type, false)

it('NATF-043: is a boolean for a boolean column', () => {
  expect(['true', 'TRUE', 'false', 'yes'].map((typed) => single(typed, 'BOOLEAN'))).toEqual([true, true, false, false])
})

it.each(['TINYINT', 'SMALLINT', 'INT', 'INTEGER', 'BIGINT', 'LONG'])('NATF-044: is an integer for %s', (type) => {
  expect(single(' 12.7 ', type)).toBe(12)
})

it.each(['FLOAT', 'DOUBLE', 'REAL', 'NUMERIC', 'DECIMAL(10, 2)', 'MONEY', 'double precision'])(
  'NATF-045: is a number for %s',
  (type) => {
    expect(single('12.7', type)).toBe(12.7)
  },
)

it('NATF-046: is null for an invalid number and for empty text', () => {
  expect([single('many', 'BIGINT'), single('many', 'DOUBLE'), single('  ', 'VARCHAR')]).toEqual([null, null, null])
})

it('NATF-043 to NATF-046: is text for other columns and for multiple values', () => {
  expect(single('12', 'VARCHAR')).toBe('12')
  expect(parseDefaultValue('1;2', 'BIGINT', true)).toBe('1;2')
  expect(parseDefaultValue('true', 'BOOLEAN', true)).toBe('true')
})

it('CONST-019, CONST-020: recognizes these integer and fractional types', () => {
  const types = [...integerTypes, ...floatTypes]
  expect(types.filter((type) => single('1.5', type) === 1)).toEqual(
    'TINYINT SMALLINT INT INTEGER BIGINT LONG'.split(' '),
  )
  expect(types.filter((type) => single('1.5', type) === 1.5)).toEqual(
    'FLOAT DOUBLE REAL NUMERIC DECIMAL MONEY'.split(' '),
  )
})
