import { expect, it } from 'vitest'
import { lex } from './lex.ts'

const kinds = (sql: string, dialect?: string) => lex(sql, dialect).map(({ kind, text }) => `${kind} ${text}`)

it('cuts texts, names, comments and numbers as PostgreSQL does', () => {
  expect(kinds(`SELECT 'it''s', "a""b", E'\\'', $x$ $$ $x$, 1from /* a /* b */ */ t$1 -- end`)).toEqual([
    'word SELECT',
    "string 'it''s'",
    'other ,',
    'name "a""b"',
    'other ,',
    "string E'\\''",
    'other ,',
    'string $x$ $$ $x$',
    'other ,',
    'number 1',
    'word FROM',
    'comment /* a /* b */ */',
    'word T$1',
    'comment -- end',
  ])
})

it("regression: takes E'\\' for an open text, which would swallow what is put behind it", () => {
  expect(kinds("x = E'\\'").at(2)).toBe("unclosed E'")
})

it('cuts texts, names, comments and places for values as each engine does', () => {
  expect(kinds("'a\\'' \"b\" `c``d` ? 1--1 # e\n-- f\n/* /* */", 'mysql')).toEqual([
    "string 'a\\''",
    'string "b"',
    'name `c``d`',
    'parameter ?',
    'number 1',
    'other -',
    'other -',
    'number 1',
    'comment # e',
    'comment -- f',
    'comment /* /* */',
  ])
  expect(kinds("'a\\' [b c] $d ?1 :e", 'sqlite')).toEqual([
    "string 'a\\'",
    'name [b c]',
    'parameter $d',
    'parameter ?1',
    'parameter :e',
  ])
  expect(kinds('a ? b : c, {d: String}, “e” # f\n#g', 'clickhouse')).toEqual([
    'word A',
    'other ?',
    'word B',
    'other :',
    'word C',
    'other ,',
    'parameter {d:',
    'word STRING',
    'other }',
    'other ,',
    'name “e”',
    'comment # f',
    'other #',
    'word G',
  ])
  expect(kinds('1 /*M! + 1 */', 'mysql').at(1)).toBe('unclosed /*M!')
  expect(kinds('$$a$$ $b$', 'trino')).toEqual(['string $$a$$', 'other $', 'word B$'])
})

it('regression: two slashes begin a comment of ClickHouse, in which a quote opens nothing', () => {
  expect(kinds("1 // '\nOR 2) -- '", 'clickhouse')).toEqual([
    'number 1',
    "comment // '",
    'word OR',
    'number 2',
    'close )',
    "comment -- '",
  ])
})
