import { spliceLimit } from '@parquetry/sql'
import { describe, expect, it } from 'vitest'
import { inspect } from './inspect.ts'
import { parsePostgres } from './postgres.ts'

const inspectPostgres = (sql: string) => inspect(sql, 'postgresql', parsePostgres)
const listTables = async (sql: string) =>
  (await inspectPostgres(sql)).statements.flatMap(({ tables }) =>
    tables.map(({ schema, name }) => (schema === null ? name : `${schema}.${name}`)),
  )

describe('the inspector of PostgreSQL', () => {
  it.each([
    ['SELECT * FROM a, b.c AS d, LATERAL (SELECT * FROM e) f', ['a', 'b.c', 'e']],
    ['TABLE a', ['a']],
    [
      'SELECT (SELECT 1 FROM a) FROM b WHERE x IN (SELECT 1 FROM c) GROUP BY 1 HAVING max(x) > (SELECT 1 FROM d)',
      ['a', 'b', 'c', 'd'],
    ],
    ['SELECT * FROM a TABLESAMPLE system(1) WHERE EXISTS (TABLE b)', ['a', 'b']],
    ['INSERT INTO a SELECT * FROM b', ['a', 'b']],
    ['WITH d AS (DELETE FROM a RETURNING *) SELECT * FROM d', ['a']],
    ['SELECT * INTO a FROM b', ['a', 'b']],
    ['MERGE INTO a USING b ON a.x = b.x WHEN MATCHED THEN DELETE', ['a', 'b']],
    ['EXPLAIN SELECT * FROM a', ['a']],
    ['WITH a AS (SELECT 1) SELECT * FROM a', []],
    ['WITH a AS (SELECT * FROM a) SELECT * FROM a', ['a']],
    ['WITH a AS (SELECT 1) SELECT * FROM public.a', ['public.a']],
    ['WITH b AS (SELECT * FROM a), a AS (SELECT 1) SELECT * FROM b', ['a']],
    ['WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a) SELECT * FROM a', []],
    ['SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) q, a', ['a']],
    ['WITH a AS (SELECT 1) SELECT * FROM "A"', ['A']],
  ])('reads tables: %s', async (sql, tables) => {
    expect((await listTables(sql)).toSorted()).toEqual(tables.toSorted())
  })

  it.each([
    ['SELECT 1', 'select', true],
    ['VALUES (1)', 'select', true],
    ['EXPLAIN ANALYZE SELECT 1', 'explain', true],
    ['SHOW search_path', 'show', true],
    ['EXPLAIN ANALYZE DELETE FROM a', 'explain', false],
    ['WITH d AS (DELETE FROM a RETURNING *) SELECT * FROM d', 'select', false],
    ['SELECT * INTO a FROM b', 'select', false],
    ['SELECT * FROM a FOR UPDATE', 'select', false],
    ['SELECT * FROM (SELECT * FROM a FOR SHARE) q', 'select', false],
    ['INSERT INTO a VALUES (1)', 'insert', false],
    ['UPDATE a SET x = 1', 'update', false],
    ['MERGE INTO a USING b ON true WHEN MATCHED THEN DELETE', 'merge', false],
    ['CREATE TABLE a (b int)', 'create', false],
    ['CREATE TABLE a AS SELECT 1', 'create', false],
    ['DROP TABLE a', 'drop', false],
    ['TRUNCATE a', 'truncate', false],
    ["COPY a TO '/tmp/x'", 'copy', false],
    ['DO $$ BEGIN END $$', 'do', false],
    ['CALL f()', 'call', false],
    ['SET search_path TO public', 'set', false],
    ['BEGIN', 'begin', false],
    ['COMMIT', 'commit', false],
    ['VACUUM', 'vacuum', false],
    ['LISTEN x', 'listen', false],
    ['LOCK TABLE a', 'lock', false],
    ['PREPARE p AS SELECT 1', 'prepare', false],
    ['EXECUTE p', 'execute', false],
    ['EXPLAIN EXECUTE p', 'explain', false],
    ['REFRESH MATERIALIZED VIEW a', 'refresh', false],
    ['GRANT ALL ON a TO b', 'grant', false],
  ])('%s is of kind %s, reading: %s', async (sql, kind, readOnly) => {
    expect((await inspectPostgres(sql)).statements[0]).toMatchObject({ kind, readOnly })
  })

  it('returns functions by their last name, those in FROM separately', async () => {
    const { statements } = await inspectPostgres(
      "SELECT pg_catalog.set_config('a', 'b', true), count(*) FILTER (WHERE abs(x) > 1) FROM rows FROM (f(g(1)), h(2)) r, generate_series(1, 2)",
    )
    expect(statements[0]?.functions.toSorted()).toEqual([
      'abs',
      'count',
      'f',
      'g',
      'generate_series',
      'h',
      'set_config',
    ])
    expect(statements[0]?.tableFunctions).toEqual(['f', 'h', 'generate_series'])
  })

  it.each([
    ['SELECT 1', 'SELECT 1\nLIMIT 7'],
    ['SELECT 1 OFFSET 2 ROWS', 'SELECT 1 OFFSET 2 ROWS\nLIMIT 7'],
    ["SELECT '😀' LIMIT 100 OFFSET 1", "SELECT '😀' LIMIT 7 OFFSET 1"],
    ['SELECT 1 FETCH FIRST 100 ROWS ONLY', 'SELECT 1 FETCH FIRST 7 ROWS ONLY'],
    ['SELECT 1 LIMIT 0', 'SELECT 1 LIMIT 0'],
    ['SELECT 1 ORDER BY 1 FETCH FIRST 100 ROWS WITH TIES', 'SELECT 1 ORDER BY 1 FETCH FIRST 100 ROWS WITH TIES'],
    ['SELECT 1 LIMIT ALL', 'SELECT 1 LIMIT ALL'],
    ['SELECT 1 LIMIT 1 + 1', 'SELECT 1 LIMIT 1 + 1'],
    ['SELECT 1 FOR UPDATE', 'SELECT 1 FOR UPDATE'],
    ['SHOW x', 'SHOW x'],
  ])('applies a limit: %s', async (sql, limited) => {
    expect(spliceLimit(sql, (await inspectPostgres(sql)).statements[0]!, 7)).toBe(limited)
  })

  it('reports the position of a syntax error, and splits only at semicolons outside quotes', async () => {
    expect((await inspectPostgres("SELECT '😀é' FROM\n selec x y z")).error).toEqual({
      message: 'syntax error at or near "y"',
      line: 2,
      column: 10,
      offset: 27,
    })
    const { statements } = await inspectPostgres(
      "SELECT $$;$$, $a$ $$; $a$, 'a;', \";\" /* ; /* ; */ ; */; SELECT E'\\';'",
    )
    expect(statements).toHaveLength(2)
  })
})
