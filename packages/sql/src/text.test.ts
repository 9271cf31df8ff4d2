import { statementCases } from '@parquetry/testing/statement-cases'
import { describe, expect, it } from 'vitest'
import { statementSpans } from './text.ts'

const cut = (sql: string, dialect = 'postgresql') =>
  statementSpans(sql, dialect)?.map(([start, end]) => sql.slice(start, end)) ?? null

describe('statementSpans', () => {
  it.each([
    ['', []],
    [' ;; -- x\n /* y */ ;', []],
    ['SELECT 1', ['SELECT 1']],
    [' SELECT 1 ; SELECT 2;', ['SELECT 1', 'SELECT 2']],
    ["SELECT ';' AS \"a;b\"; SELECT 'it''s;'", ['SELECT \';\' AS "a;b"', "SELECT 'it''s;'"]],
    ['SELECT $$a;b$$, $x$ $$;$$ $x$; SELECT 2', ['SELECT $$a;b$$, $x$ $$;$$ $x$', 'SELECT 2']],
    ["SELECT E'\\';' ; SELECT 2", ["SELECT E'\\';'", 'SELECT 2']],
    ['-- a;\nSELECT 1 /* ; /* nested; */ ; */ + 1 -- ; end', ['SELECT 1 /* ; /* nested; */ ; */ + 1']],
    ['SELECT a$b; SELECT 2', ['SELECT a$b', 'SELECT 2']],
  ])('splits %j', (sql, statements) => {
    expect(cut(sql)).toEqual(statements)
  })

  it.each(["SELECT 'a", 'SELECT "a', 'SELECT 1 /* a', 'SELECT 1 /* /* */', "SELECT E'\\'", 'SELECT $x$ a $$'])(
    'returns null for unclosed text: %s',
    (sql) => {
      expect(cut(sql)).toBeNull()
    },
  )

  describe.each(Object.entries(statementCases))('splits as %s does', (dialect, cases) => {
    it.each(cases)('$text', ({ text, statements }) => {
      expect(cut(text, dialect)).toEqual(statements.flatMap(([sql]) => cut(sql, dialect)))
      expect(cut(text, dialect)).toHaveLength(statements.length)
    })
  })

  it.each([
    ['mysql', 'SELECT \'a\\\';b\', "c\\";d", `e;``f` # g; h\n; SELECT 1--1; -- x;\nSELECT 2', 3],
    ['mysql', 'SELECT 1 /* /* ; */; SELECT 2', 2],
    ['sqlite', "SELECT 'a\\'; SELECT [b;c], `d;`, $e$; SELECT 2", 3],
    ['trino', "SELECT 'a\\'; SELECT 1 /* /* ; */; SELECT 2", 3],
    ['clickhouse', "SELECT 'a\\';b', `c\\`;d`, ‘e;’, $$f;$$ /* /* ; */ ; */ #! g;\n; SELECT 2", 2],
    ['postgresql', "SELECT 'a\\'; SELECT 1 # 2; SELECT 'straße'", 3],
  ])('splits by the quotes and comments of %s: %s', (dialect, sql, count) => {
    expect(cut(sql, dialect)).toHaveLength(count)
  })

  it.each([
    ['mysql', "SELECT 'a\\'"],
    ['mysql', 'SELECT `a'],
    ['sqlite', 'SELECT [a'],
    ['clickhouse', 'SELECT ‘a'],
  ])('returns null for text that %s considers unclosed: %s', (dialect, sql) => {
    expect(cut(sql, dialect)).toBeNull()
  })

  it('regression: counts a letter that becomes two in upper case as one', () => {
    expect(cut('SELECT a AS straße; SELECT 2')).toEqual(['SELECT a AS straße', 'SELECT 2'])
  })
})
