import { expect, it } from 'vitest'
import { findPasswordProblem } from './password.ts'

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
