import { expect, it } from 'vitest'
import { describeAccountPowers } from './powers.ts'

const say = (_id: string, text: string): string => text

it('regression: warns when the account of a connection can do more than read', () => {
  expect(describeAccountPowers(['superuser'], true, say)).toEqual([
    'The account is a superuser: it can do anything on the server.',
    'A read-only account is enough.',
  ])
  expect(describeAccountPowers(['files', 'write'], false, say)).toHaveLength(3)
})

it('does not warn about a read-only account, or about one that needs write access', () => {
  expect(describeAccountPowers([], false, say)).toEqual([])
  expect(describeAccountPowers(['write'], true, say)).toEqual([])
})
