import { expect, it } from 'vitest'
import { strengthOf } from './strength.ts'

it('words of a password grow with its length and its kinds of characters', () => {
  expect(['abc', 'aaaaaaaaaa', 'summer2026', 'Correct-Horse-Battery-9'].map(strengthOf)).toEqual([
    'short',
    'weak',
    'fair',
    'strong',
  ])
})

it('counts what people see as characters', () => {
  expect(strengthOf('🚢🚢🚢🚢')).toBe('short')
})
