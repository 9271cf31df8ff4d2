import { expect, it } from 'vitest'
import { isReadOnlySql, splitStatements } from './split-statements.ts'

it('returns each statement with its offset', () => {
  expect(splitStatements('select 1;\n select [a;b]', 'sqlite')).toEqual([
    { sql: 'select 1', from: 0 },
    { sql: 'select [a;b]', from: 11 },
  ])
})

it.each([
  ['select 1', true],
  ['/* insert */ ((SELECT 1))', true],
  ["select 'into'", true],
  ['with a as (select 1) from a', true],
  ['select 1 into b', false],
  ['insert into a values (1)', false],
  ['"select"', false],
  ['-- select', false],
])('read-only detection: %s, %s', (sql, expected) => {
  expect(isReadOnlySql(sql, 'duckdb')).toBe(expected)
})

it('regression: a comment of the dialect does not hide the start of a statement', () => {
  expect(isReadOnlySql('# first\nselect 1', 'mysql')).toBe(true)
})
