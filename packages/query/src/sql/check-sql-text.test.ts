import { describe, expect, it } from 'vitest'
import { findClauseProblem, closeClause, findDatasetSqlProblem, readsTable } from './check-sql-text.ts'

describe('a clause', () => {
  it.each([
    'a > 1',
    `name = ')'`,
    `"odd(" = 1`,
    'a -- )',
    'a /* ) /* ( */ */ > 1',
    `a = $x$ ) ; $x$`,
    `a = E'\\')'`,
    'a;',
  ])('is closed: %s', (text) => expect(findClauseProblem(text, 'postgresql')).toBeNull())
  it.each([
    ['1 = 1) OR (1 = 1', 'Closing unopened parenthesis in filter clause'],
    ['(a > 1', 'Unclosed parenthesis in filter clause'],
    ['a > 1; DROP TABLE t', 'Clause contains multiple statements'],
    [`a = 'x`, 'Unclosed quote or comment in filter clause'],
    ['a /* x', 'Unclosed quote or comment in filter clause'],
    ['a /* /* */ x', 'Unclosed quote or comment in filter clause'],
    [`a = E'\\' ) --'`, null],
    ['a = $1', 'Clause contains a parameter'],
  ])('%s: %s', (text, problem) => expect(findClauseProblem(text, 'postgresql')).toBe(problem))

  it('closes a trailing comment before the parenthesis that follows', () => {
    expect(closeClause('a > 1 -- strong', 'postgresql')).toBe('a > 1 -- strong\n')
    expect(closeClause('a > 1; -- strong', 'postgresql')).toBe('a > 1 -- strong\n')
    expect(closeClause(`a = '-- b'`, 'postgresql')).toBe(`a = '-- b'`)
  })
})

describe('an expression that reads a table', () => {
  it.each([
    'a > (SELECT AVG(a) FROM cars)',
    '1 = 1 UNION SELECT usename, 1 FROM pg_user',
    'password FROM users UNION SELECT 1',
    'password||1from users',
    'password||1e5from users',
    '(FROM users)',
    '(TABLE users)',
    'EXISTS (TABLE users)',
    '(SELECT/**/1/**/FROM/**/users)',
    '(SELECT DISTINCT FROM users)',
    '(SELECT EXTRACT(YEAR FROM d), x FROM users)',
    'EXTRACT(YEAR FROM (SELECT d FROM users))',
    'EXTRACT((SELECT 1 FROM users))',
    '1 INTO OUTFILE',
    'a in (select b from c)',
  ])('%s', (text) => expect(readsTable(text, 'postgresql')).toBe(true))
})

describe('an expression that does not read a table', () => {
  it.each([
    '(SELECT 1)',
    'EXTRACT(YEAR FROM "Year")',
    `TRIM(BOTH ' ' FROM name)`,
    'SUBSTRING(name FROM 2)',
    'a IS DISTINCT FROM b',
    'a IS NOT DISTINCT FROM b',
    `'x FROM y'`,
    '"FROM" > 1',
    'a > 1 -- FROM t',
    'SUM(from_here)',
  ])('%s', (text) => expect(readsTable(text, 'postgresql')).toBe(false))
})

it('accepts a single read-only statement as a virtual dataset', () => {
  expect(findDatasetSqlProblem('SELECT 1;', 'postgresql')).toBeNull()
  expect(findDatasetSqlProblem('(WITH a AS (SELECT 1) SELECT * FROM a) -- all', 'postgresql')).toBeNull()
  expect(findDatasetSqlProblem('SELECT 1; SELECT 2', 'postgresql')).toContain('multiple statements')
  expect(findDatasetSqlProblem(' -- nothing', 'postgresql')).toContain('empty')
  expect(findDatasetSqlProblem('DELETE FROM t', 'postgresql')).toContain('read-only')
  expect(findDatasetSqlProblem('SELECT 1) AS x, (SELECT 2', 'postgresql')).toContain('unopened')
})

it('regression: tokenizes strings as the engine does, so that none ends before its quote', () => {
  const outOfBrackets = `'\\'') OR (1 = 1) -- '`
  expect(findClauseProblem(outOfBrackets, 'postgresql')).toBeNull()
  expect(findClauseProblem(outOfBrackets, 'mysql')).toContain('unopened')
  expect(findClauseProblem(`name = 'it\\'s' AND \`a?b\` = "c?"`, 'mysql')).toBeNull()
  expect(findClauseProblem('a = ?', 'mysql')).toContain('parameter')
  expect(findClauseProblem('1 /*! ) OR (1 = 1 */', 'mysql')).toContain('Unclosed')
  expect(closeClause('a > 1 # strong', 'mysql')).toBe('a > 1 # strong\n')
  expect(readsTable(`'\\'' = (SELECT 1 FROM t) -- '`, 'mysql')).toBe(true)
})
