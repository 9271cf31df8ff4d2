import { expect, it } from 'vitest'
import { defaultPasswordPolicy, findPasswordProblem } from './password.ts'

it('reports the fault of a new password', () => {
  const fault = (password: string) => findPasswordProblem(password, 'penelope-1968')
  expect(['🚢🚢🚢🚢', 'x'.repeat(1025), 'Password123', 'Penelope-1968', 'aaaaaaaa'].map(fault)).toEqual([
    'short',
    'long',
    'common',
    'name',
    undefined,
  ])
})

it('follows the settings: minimum length, a longer list of common passwords, or no rules', () => {
  const fault = (password: string, policy: object) =>
    findPasswordProblem(password, 'penelope', { ...defaultPasswordPolicy, ...policy })
  expect(fault('a-good-one', { minLength: 12 })).toBe('short')
  expect(fault('Our-Company-1', { blocklist: ['our-company-1'] })).toBe('common')
  expect(['', 'penelope', 'password', 'x'.repeat(1025)].map((each) => fault(each, { isEnabled: false }))).toEqual([
    'short',
    undefined,
    undefined,
    'long',
  ])
})
