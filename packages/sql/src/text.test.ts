import { describe, expect, it } from 'vitest'
import { statementSpans, stripComments } from './text.ts'

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

describe('stripComments', () => {
  it.each([
    ['SELECT 1 AS a -- done', 'SELECT 1 AS a'],
    ['-- hello\nSELECT 1 AS a', 'SELECT 1 AS a'],
    ['/* hi */ SELECT /* in */ 1 AS a', 'SELECT  1 AS a'],
    ['SELECT/**/1', 'SELECT 1'],
    ['SELECT \'-- no\', "/* no */", $$ -- no $$ -- yes', 'SELECT \'-- no\', "/* no */", $$ -- no $$'],
    ['SELECT /*+ hint */ 1', 'SELECT /*+ hint */ 1'],
    ['-- nothing', ''],
  ])('%j', (sql, stripped) => {
    expect(stripComments(sql)).toBe(stripped)
  })
})
