import { lexedDialects } from '@parquetry/model/lex'
import { statementCases } from '@parquetry/testing/statement-cases'
import { describe, expect, it } from 'vitest'
import { parseSegments, reparseSegments, statementAt, listStatements } from './statements.ts'

const splitTexts = (sql: string, dialect = 'postgresql') =>
  listStatements(parseSegments(sql, dialect)).map(({ from, to }) => sql.slice(from, to))

describe('editor statements', () => {
  it.each([
    ['select 1; select 2', ['select 1', 'select 2']],
    ["select ';' as a; select 2;", ["select ';' as a", 'select 2']],
    ["select 'over\nlines; it''s\nfine'; select 2", ["select 'over\nlines; it''s\nfine'", 'select 2']],
    ['select "a;b"', ['select "a;b"']],
    ['-- one; two\nselect 1', ['-- one; two\nselect 1']],
    ['/* a; b\n c; */ select 1; select 2', ['/* a; b\n c; */ select 1', 'select 2']],
    ["select 'unclosed; text", ["select 'unclosed; text"]],
    ['select 1; select $$ a; b; ', ['select 1', 'select $$ a; b;']],
    ['select 1; /* not; closed', ['select 1']],
    ['select $1; select 2', ['select $1', 'select 2']],
    ['  ;\n; ', []],
    ['select 1;\n-- only words; here\n/* and; here */', ['select 1']],
  ])('%s', (sql, expected) => {
    expect(splitTexts(sql)).toEqual(expected)
  })

  it('respects backquoted names where the engine supports them', () => {
    expect(splitTexts('select `a;b`', 'mysql')).toEqual(['select `a;b`'])
  })

  describe.each(Object.entries(statementCases))('regression: splits like %s', (dialect, cases) => {
    it.each(cases)('$text', ({ text, statements }) => {
      expect(splitTexts(text, dialect)).toEqual(statements.map(([sql]) => sql))
    })
  })

  it('returns the statement at the cursor, or the one before it', () => {
    const sql = 'select 1;\n\nselect 2;\n'
    const pieces = parseSegments(sql, 'duckdb')
    const at = (cursor: number) => {
      const found = statementAt(pieces, cursor)
      return found && sql.slice(found.from, found.to)
    }
    expect([0, 8, 9, 12, 21].map(at)).toEqual(['select 1', 'select 1', 'select 1', 'select 2', 'select 2'])
    expect(statementAt(pieces, 12)).toMatchObject({ index: 1, of: 2 })
    expect(statementAt(parseSegments('', 'duckdb'), 0)).toBeUndefined()
  })

  it.each(lexedDialects)('%s: an incremental update after any change equals a full parse', (dialect) => {
    const signs = [
      ';',
      ';',
      '\n',
      ' ',
      "'",
      '"',
      '`',
      '$$',
      '$x$',
      '/*',
      '*/',
      '--',
      '#',
      '//',
      '[',
      ']',
      '\\',
      '‘',
      '’',
      'a',
      '1',
    ]
    let seed = 7
    const any = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
    let text = "select 1;\nselect 'a';\n\n/* x */ select $$b$$;\nselect 4"
    let pieces = parseSegments(text, dialect)
    for (let change = 0; change < 3000; change++) {
      const from = any(text.length + 1)
      const toOld = Math.min(text.length, from + any(text.length > 60 ? 20 : 4))
      const insert = Array.from({ length: any(4) }, () => signs[any(signs.length)]).join('')
      text = text.slice(0, from) + insert + text.slice(toOld)
      pieces = reparseSegments(pieces, text, { from, toOld, toNew: from + insert.length }, dialect)
      expect(pieces, text).toEqual(parseSegments(text, dialect))
    }
  })

  it('a keystroke in a script of 10,000 statements parses only its statement', () => {
    const sql = Array.from({ length: 10_000 }, (_, index) => `select ${index} from a_table where b = 'c';`).join('\n')
    const pieces = parseSegments(sql, 'duckdb')
    const cursor = sql.indexOf('select 4999')
    const changed = `${sql.slice(0, cursor)}x${sql.slice(cursor)}`
    const again = reparseSegments(pieces, changed, { from: cursor, toOld: cursor, toNew: cursor + 1 }, 'duckdb')
    const before = new Set(pieces)
    expect(again.filter((piece) => !before.has(piece))).toHaveLength(1)
    expect(statementAt(pieces, cursor)).toMatchObject({ index: 4999, of: 10_000 })
  })
})
