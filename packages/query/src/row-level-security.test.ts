import { AppError } from '@parquetry/model'
import { datasetSetups, sampleDataset } from '@parquetry/testing'
import { expect, it } from 'vitest'
import { joinRuleClauses, restrict, groupRlsClauses, type RestrictedQuery } from './row-level-security.ts'

const cars = sampleDataset(datasetSetups.cars, 'duckdb', null)
const query = { columns: ['Origin'], metrics: ['count'] }

it('combines the rules of one group and keeps other groups separate', () => {
  const rlsRules = [
    { group_key: 'region', clause: 'a' },
    { group_key: null, clause: 'b' },
    { group_key: 'region', clause: 'c' },
    { group_key: '', clause: 'd' },
  ]
  expect(groupRlsClauses(restrict(query, cars, { rlsRules }))).toEqual([['a', 'c'], ['b'], ['d']])
})

it('joins rules of a group with OR and groups with AND in SQL text', () => {
  const rules = [
    { group_key: 'g', clause: 'a' },
    { group_key: null, clause: 'b' },
    { group_key: 'g', clause: 'c -- d' },
    { group_key: '', clause: 'd' },
  ]
  expect(joinRuleClauses(rules, 'duckdb', 'cars')).toBe('((a\n) OR (c -- d\n)) AND ((b\n)) AND ((d\n))')
  const open = [{ group_key: null, clause: '1 = 1) OR (1 = 1' }]
  expect(() => joinRuleClauses(open, 'duckdb', 'cars')).toThrow(
    'A row-level security rule on cars could not be applied',
  )
})

it('keeps the rules when the query is modified later', () => {
  const restricted = restrict(query, cars, { rlsRules: [{ group_key: null, clause: 'a' }] })
  expect(groupRlsClauses({ ...restricted, columns: [] })).toEqual([['a']])
})

it('rejects a rule that closes its own parenthesis', () => {
  expect(() => restrict(query, cars, { rlsRules: [{ group_key: null, clause: '1 = 1) OR (1 = 1' }] })).toThrow(AppError)
})

it('cannot be forged with JSON', () => {
  const forged = JSON.parse(JSON.stringify({ ...query, 'rls rules': [] })) as RestrictedQuery
  expect(() => groupRlsClauses(forged)).toThrow()
})
