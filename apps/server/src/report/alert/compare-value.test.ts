import type { ValidatorOperator } from '@parquetry/model'
import { expect, it } from 'vitest'
import { isTriggered } from './compare-value.ts'

const operator = (value: unknown, op: ValidatorOperator, threshold: number) =>
  isTriggered(value, { validator_type: 'operator', validator_config: { op, threshold } })

it.each<[ValidatorOperator, boolean, boolean, boolean]>([
  ['<', true, false, false],
  ['<=', true, true, false],
  ['>', false, false, true],
  ['>=', false, true, true],
  ['==', false, true, false],
  ['!=', true, false, true],
])('%s compares below, at and above the threshold', (op, below, at, above) => {
  expect([operator(9.5, op, 10), operator(10, op, 10), operator(10.5, op, 10)]).toEqual([below, at, above])
})

it('compares numbers in text, and null as zero', () => {
  expect(operator('10.50', '>', 10)).toBe(true)
  expect(operator(null, '<', 1)).toBe(true)
  expect(operator(null, '>', 0)).toBe(false)
  expect(operator(true, '==', 1)).toBe(true)
})

it('without a threshold nothing is triggered', () => {
  expect(isTriggered(5, { validator_type: 'operator', validator_config: {} })).toBe(false)
  expect(isTriggered(5, { validator_type: null, validator_config: {} })).toBe(false)
})

it('not null needs a value other than zero', () => {
  const notNull = (value: unknown) => isTriggered(value, { validator_type: 'not null', validator_config: {} })
  expect([1, -1, 'x', '2020-01-01', false].map(notNull)).toEqual([true, true, true, true, false])
  expect([null, undefined, 0, '0', '0.00'].map(notNull)).toEqual([false, false, false, false, false])
})
