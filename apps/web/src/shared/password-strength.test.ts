import { expect, it } from 'vitest'
import { ratePassword } from './password-strength.ts'

it('rates a password by its length and its kinds of characters', () => {
  const words = ['abc', 'aaaaaaaaaa', 'summer2026', 'Correct-Horse-Battery-9'].map((each) =>
    ratePassword(each, 'admin'),
  )
  expect(words).toEqual(['short', 'weak', 'fair', 'strong'])
})

it('counts user-perceived characters', () => {
  expect(ratePassword('🚢🚢🚢🚢', 'admin')).toBe('short')
})

it('regression: passwords that the server refuses are rated weak', () => {
  expect(['password123', 'Administrator', 'Penelope-1968'].map((each) => ratePassword(each, 'penelope-1968'))).toEqual([
    'weak',
    'weak',
    'weak',
  ])
})
