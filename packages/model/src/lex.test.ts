import { expect, it } from 'vitest'
import { lex } from './lex.ts'

const kinds = (sql: string) => lex(sql).map(({ kind, text }) => `${kind} ${text}`)

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
