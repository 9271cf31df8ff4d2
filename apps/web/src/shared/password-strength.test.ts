import { expect, it } from 'vitest'
import { ratePassword } from './password-strength.ts'

it('words of a password grow with its length and its kinds of characters', () => {
  const words = ['abc', 'aaaaaaaaaa', 'summer2026', 'Correct-Horse-Battery-9'].map((each) =>
    ratePassword(each, 'admin'),
  )
  expect(words).toEqual(['short', 'weak', 'fair', 'strong'])
})

it('counts what people see as characters', () => {
  expect(ratePassword('🚢🚢🚢🚢', 'admin')).toBe('short')
})

it('regression: what the server refuses is called easy to guess', () => {
  expect(['password123', 'Administrator', 'Penelope-1968'].map((each) => ratePassword(each, 'penelope-1968'))).toEqual([
    'weak',
    'weak',
    'weak',
  ])
})
