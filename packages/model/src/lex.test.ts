import { expect, it } from 'vitest'
import { lex, lexedDialects, tokensFrom } from './lex.ts'

const kinds = (sql: string, dialect?: string) => lex(sql, dialect).map(({ kind, text }) => `${kind} ${text}`)

it('tokenizes strings, names, comments and numbers as PostgreSQL does', () => {
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

it("regression: treats E'\\' as an unclosed string, which would swallow the text appended to it", () => {
  expect(kinds("x = E'\\'").at(2)).toBe("unclosed E'")
})

it('tokenizes strings, names, comments and parameters as each engine does', () => {
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

it('regression: two slashes start a ClickHouse comment, in which a quote does not start a string', () => {
  expect(kinds("1 // '\nOR 2) -- '", 'clickhouse')).toEqual([
    'number 1',
    "comment // '",
    'word OR',
    'number 2',
    'close )',
    "comment -- '",
  ])
})

it.each(lexedDialects)(
  '%s: a token does not depend on the text before it or, once closed, on the text after it',
  (dialect) => {
    const source = `SELECT 'a' "b" \`c\` $$d$$ [e] /* f */ ‘g’ 1 -- h\n/* i /* j */`
    const all = lex(source, dialect)
    for (const [at, { start }] of all.entries()) expect([...tokensFrom(source, start, dialect)]).toEqual(all.slice(at))
    const opening = ["'", '"', '`', '/*', ...(['mysql', 'sqlite'].includes(dialect) ? [] : ['$$'])]
    for (const open of opening)
      expect(lex(`a ${open} b`, dialect)[1]?.kind, open).toBe(
        dialect === 'postgresql' && open === '`' ? 'other' : 'unclosed',
      )
  },
)

it.each(lexedDialects)('regression: %s: text with many unclosed quotes ends in a single token', (dialect) => {
  const source = Array.from({ length: 20_000 }, (_, index) => `'\\ $a${index}$ {%`).join(' ')
  const tokens = lex(`${source} '`, dialect)
  expect(tokens.filter(({ kind }) => kind === 'unclosed').length).toBeLessThan(30)
  expect(tokens.at(-1)!.start + tokens.at(-1)!.text.length).toBe(source.length + 2)
})
