import { describe, expect, it } from 'vitest'
import { statementSpans } from './text.ts'

const cut = (sql: string) => statementSpans(sql)?.map(([start, end]) => sql.slice(start, end)) ?? null

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
  ])('cuts %j', (sql, statements) => {
    expect(cut(sql)).toEqual(statements)
  })

  it.each(["SELECT 'a", 'SELECT "a', 'SELECT 1 /* a', 'SELECT 1 /* /* */', "SELECT E'\\'"])(
    'does not cut what is not closed: %s',
    (sql) => {
      expect(cut(sql)).toBeNull()
    },
  )
})
