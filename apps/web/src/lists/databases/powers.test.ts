import { expect, it } from 'vitest'
import { describeAccountPowers } from './powers.ts'

const say = (_id: string, text: string): string => text

it('regression: a connection that may do more than read was saved without a word', () => {
  expect(describeAccountPowers(['superuser'], true, say)).toEqual([
    'The account is a superuser: it can do anything on the server.',
    'A read-only account is enough.',
  ])
  expect(describeAccountPowers(['files', 'write'], false, say)).toHaveLength(3)
})

it('says nothing of an account that only reads, or that has to write', () => {
  expect(describeAccountPowers([], false, say)).toEqual([])
  expect(describeAccountPowers(['write'], true, say)).toEqual([])
})
