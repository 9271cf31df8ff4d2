import { spliceLimit } from '@parquetry/sql'
import { describe, expect, it } from 'vitest'
import { inspect } from './inspect.ts'
import { polyglotParser } from './polyglot.ts'

const inspectPolyglot = (dialect: string, sql: string) => inspect(sql, dialect, polyglotParser(dialect))
const only = async (dialect: string, sql: string) => {
  const { statements, error } = await inspectPolyglot(dialect, sql)
  expect(error).toBeNull()
  expect(statements).toHaveLength(1)
  return statements[0]!
}
const listTables = async (dialect: string, sql: string) =>
  (await only(dialect, sql)).tables
    .map(({ catalog, schema, name }) => [catalog, schema, name].filter((part) => part !== null).join('.'))
    .toSorted()

describe('the inspector of engines without their own parser', () => {
  it.each([
    ['mysql', 'SELECT * FROM a, b.c AS d LEFT JOIN (e, f) ON 1 NATURAL JOIN g', ['a', 'b.c', 'e', 'f', 'g']],
    ['mysql', 'SELECT (SELECT 1 FROM a) FROM `b``c` WHERE x IN (SELECT 1 FROM `d e`.f)', ['a', 'b`c', 'd e.f']],
    ['mysql', 'SELECT * FROM a STRAIGHT_JOIN b', ['a', 'b']],
    ['mysql', "SELECT * FROM t -- a\n# FROM b\nWHERE 'x\\' FROM c' = \"FROM d\" /* FROM e /* */", ['t']],
    ['mysql', 'SELECT 1--1 FROM a', ['a']],
    ['mysql', 'SELECT EXTRACT(YEAR FROM x), TRIM(BOTH 1 FROM y) FROM a, DUAL', ['a']],
    ['mysql', 'TABLE a ORDER BY 1', ['a']],
    ['mysql', 'EXPLAIN FORMAT=JSON SELECT * FROM a', ['a']],
    ['mysql', 'DESC a.b', ['a.b']],
    ['mysql', 'DESCRIBE TABLE', []],
    ['mysql', 'SHOW FULL COLUMNS FROM a FROM b', ['b.a']],
    ['mysql', 'SHOW CREATE TABLE a.b', ['a.b']],
    ['mysql', 'SHOW CREATE DATABASE a', []],
    ['mysql', 'INSERT INTO a SELECT * FROM b', ['a', 'b']],
    ['mysql', 'REPLACE INTO a SELECT * FROM b', ['a', 'b']],
    ['mysql', 'UPDATE a JOIN b USING (x) SET a.y = 1', ['a', 'b']],
    ['mysql', 'CREATE TABLE a AS SELECT 1 FROM b', ['a', 'b']],
    ['sqlite', 'SELECT * FROM [a b], "c", `d` WHERE x IN main.e', ['a b', 'c', 'd', 'main.e']],
    ['sqlite', "SELECT * FROM a WHERE x = '\\' AND y IN (SELECT 1 FROM b)", ['a', 'b']],
    ['sqlite', 'EXPLAIN QUERY PLAN SELECT * FROM a', ['a']],
    ['trino', 'SELECT * FROM a.b.c, UNNEST(d) AS e(f), LATERAL (SELECT 1 FROM g)', ['a.b.c', 'g']],
    ['trino', 'SELECT * FROM TABLE(f(x => TABLE(a.b)))', ['a.b']],
    ['trino', 'SELECT * FROM a FOR VERSION AS OF 1', ['a']],
    ['trino', 'EXPLAIN (TYPE LOGICAL, FORMAT JSON) SELECT * FROM a', ['a']],
    ['trino', 'SHOW STATS FOR a.b', ['a.b']],
    ['clickhouse', 'SELECT * FROM a FINAL ARRAY JOIN b WHERE x GLOBAL IN c', ['a', 'c']],
    ['clickhouse', 'SELECT * FROM a.`b\\`c`', ['a.b`c']],
    ['clickhouse', 'SELECT * FROM "p\\x65op\\Nle", `a\\\\b`, “c”', ['a\\b', 'c', 'people']],
    [
      'clickhouse',
      'SELECT 1 FROM a WHERE x IN (b) OR y NOT IN ((c.d)) OR in(1, "e") OR z IN (f AS g)',
      ['a', 'b', 'c.d', 'e', 'f'],
    ],
    ['clickhouse', "SELECT 1 FROM a WHERE x IN (1, NULL, 'y', now()) OR q IN (SELECT b, c, d FROM e)", ['a', 'e']],
    ['clickhouse', 'SELECT * FROM view(SELECT 1 FROM a)', ['a']],
    ['clickhouse', 'DESCRIBE TABLE a', ['a']],
    ['clickhouse', 'EXPLAIN SYNTAX SELECT 1 FROM a', ['a']],
    ['clickhouse', 'FROM a SELECT 1', ['a']],
  ])('%s: reads tables of %s', async (dialect, sql, tables) => {
    expect(await listTables(dialect, sql)).toEqual(tables)
  })

  it.each([
    ['mysql', 'WITH a AS (SELECT 1) SELECT * FROM a UNION SELECT * FROM a', []],
    ['mysql', 'WITH a AS (SELECT * FROM a) SELECT * FROM a', ['a']],
    ['mysql', 'WITH a AS (SELECT 1) SELECT * FROM d.a', ['d.a']],
    ['mysql', 'WITH a AS (SELECT 1) SELECT * FROM A', ['A']],
    ['sqlite', 'WITH a AS (SELECT 1) SELECT * FROM A', []],
    ['trino', 'WITH "A" AS (SELECT 1) SELECT * FROM a', []],
    ['mysql', 'WITH b AS (SELECT * FROM a), a AS (SELECT 1) SELECT * FROM b', ['a']],
    ['mysql', 'WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a) SELECT * FROM a', []],
    ['trino', 'WITH RECURSIVE b AS (SELECT * FROM a), a AS (SELECT 1) SELECT * FROM b', ['a']],
    ['mysql', 'SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) q, a', ['a']],
    ['clickhouse', 'WITH 1 AS a, b AS (SELECT 1) SELECT * FROM a, b', ['a']],
    ['clickhouse', 'WITH (SELECT 1) AS a SELECT * FROM a', ['a']],
  ])('%s: knows the scope of WITH: %s', async (dialect, sql, tables) => {
    expect(await listTables(dialect, sql)).toEqual(tables)
  })

  it.each([
    ['mysql', 'SELECT 1', 'select', true],
    ['mysql', '(SELECT 1) UNION (SELECT 2)', 'select', true],
    ['mysql', 'VALUES (1)', 'select', true],
    ['mysql', 'SHOW TABLES', 'show', true],
    ['mysql', 'SHOW TABLES WHERE (SELECT 1 FROM a)', 'show', false],
    ['mysql', 'DESCRIBE a', 'describe', true],
    ['mysql', 'EXPLAIN ANALYZE SELECT 1', 'explain', true],
    ['mysql', 'ANALYZE FORMAT=JSON SELECT 1', 'explain', true],
    ['mysql', 'EXPLAIN DELETE FROM a', 'explain', false],
    ['mysql', 'EXPLAIN FOR CONNECTION 5', 'explain', false],
    ['mysql', 'SELECT 1 INTO @x', 'select', false],
    ['mysql', 'SELECT * FROM a FOR UPDATE', 'select', false],
    ['mysql', 'SELECT * FROM (SELECT * FROM a LOCK IN SHARE MODE) q', 'select', false],
    ['mysql', 'WITH a AS (SELECT 1) DELETE FROM b', 'delete', false],
    ['mysql', 'WITH a AS (TABLE b) SELECT * FROM a', 'select', false],
    ['mysql', 'WITH a AS (SELECT * FROM b) (SELECT * FROM a) LIMIT 3', 'select', false],
    ['mysql', 'INSERT INTO a VALUES (1)', 'insert', false],
    ['mysql', 'REPLACE INTO a VALUES (1)', 'replace', false],
    ['mysql', 'UPDATE a SET b = 1', 'update', false],
    ['mysql', 'CALL p()', 'call', false],
    ['mysql', 'DO SLEEP(1)', 'do', false],
    ['mysql', 'HANDLER a OPEN', 'handler', false],
    ['mysql', 'SET @a = 1', 'set', false],
    ['mysql', "PREPARE p FROM 'x'", 'prepare', false],
    ['mysql', 'EXECUTE p', 'execute', false],
    ['mysql', 'LOCK TABLES a READ', 'lock', false],
    ['mysql', 'BEGIN', 'begin', false],
    ['mysql', 'COMMIT', 'commit', false],
    ['mysql', 'KILL 1', 'kill', false],
    ['mysql', 'USE a', 'use', false],
    ['mysql', 'CREATE TABLE a AS SELECT 1', 'create', false],
    ['mysql', 'CREATE VIEW a AS SELECT 1', 'create', false],
    ['mysql', 'DROP TABLE a', 'drop', false],
    ['mysql', 'TRUNCATE a', 'truncate', false],
    ['sqlite', 'PRAGMA journal_mode', 'pragma', false],
    ['sqlite', "ATTACH 'x' AS y", 'attach', false],
    ['sqlite', "VACUUM INTO 'x'", 'vacuum', false],
    ['sqlite', 'REINDEX', 'reindex', false],
    ['sqlite', 'INSERT INTO a DEFAULT VALUES RETURNING *', 'insert', false],
    ['trino', 'CALL f()', 'call', false],
    ['trino', 'EXPLAIN ANALYZE DELETE FROM a', 'explain', false],
    ['trino', 'EXECUTE p', 'execute', false],
    ['trino', 'MERGE INTO a USING b ON true WHEN MATCHED THEN DELETE', 'merge', false],
    ['clickhouse', "SELECT 1 INTO OUTFILE 'x'", 'select', false],
    ['clickhouse', 'INSERT INTO a SELECT 1', 'insert', false],
    ['clickhouse', 'ALTER TABLE a DELETE WHERE 1', 'alter', false],
    ['clickhouse', 'OPTIMIZE TABLE a', 'optimize', false],
    ['clickhouse', 'SYSTEM RELOAD CONFIG', 'system', false],
    ['clickhouse', 'KILL QUERY WHERE 1', 'kill', false],
    ['clickhouse', 'SHOW TABLES', 'show', true],
  ])('%s: %s is of kind %s, reading: %s', async (dialect, sql, kind, readOnly) => {
    expect(await only(dialect, sql)).toMatchObject({ kind, readOnly })
  })

  it.each([
    [
      'mysql',
      "SELECT sleep (1), `load_file`('x'), mysql.f(abs(-1)), count(*) FROM a WHERE x IN (1)",
      'abs count f load_file sleep',
    ],
    ['mysql', 'CALL f(benchmark(1, 1))', 'benchmark f'],
    ['mysql', 'SELECT CAST(x AS DECIMAL(10, 2)) FROM (SELECT 1) q WHERE EXISTS (SELECT 1)', 'CAST'],
    ['clickhouse', "SELECT dictGet('a', 'b', 1), x -> sleepEachRow(x)", 'dictGet sleepEachRow'],
  ])('%s: returns functions of %s', async (dialect, sql, functions) => {
    expect((await only(dialect, sql)).functions.toSorted().join(' ')).toBe(functions)
  })

  it.each([
    ['sqlite', "SELECT * FROM pragma_table_info('t') p JOIN json_each(x)", ['pragma_table_info', 'json_each']],
    ['sqlite', 'SELECT * FROM main.pragma_database_list', ['pragma_database_list']],
    ['trino', "SELECT * FROM TABLE(a.system.query(query => 'SELECT 1'))", ['table', 'query']],
    ['clickhouse', "SELECT * FROM remote('a', b.c) r, (SELECT * FROM url('x'))", ['remote', 'url']],
    ['clickhouse', "DESCRIBE TABLE file('x')", ['file']],
  ])('%s: returns functions in FROM of %s', async (dialect, sql, functions) => {
    expect((await only(dialect, sql)).tableFunctions.map((name) => name.toLowerCase())).toEqual(functions)
  })

  it.each([
    ['mysql', 'SELECT 1 /*! , load_file(2) */', 'executable comments cannot be used here', 9],
    ['mysql', 'SELECT 1 /*M!100000 , 2 */', 'executable comments cannot be used here', 9],
    ['mysql', '/*!50000 SELECT 1*/', 'executable comments cannot be used here', 0],
    ['mysql', 'SELECT 1 /* a */ /*!50000 + 1*/', 'executable comments cannot be used here', 17],
    ['mysql', 'INSERT INTO a /*! SELECT 1 */ VALUES (1)', 'executable comments cannot be used here', 14],
    ['mysql', "SELECT 1 INTO OUTFILE '/tmp/x'", 'OUTFILE cannot be used here', 14],
    ['mysql', "SELECT 1 INTO DUMPFILE '/tmp/x' FROM a", 'DUMPFILE cannot be used here', 14],
    ['mysql', "LOAD DATA INFILE 'x' INTO TABLE t", 'LOAD cannot be used here', 0],
    ['mysql', "SET SESSION sql_mode = ''", 'SQL_MODE cannot be used here', 12],
    ['mysql', 'SET NAMES gbk', 'NAMES cannot be used here', 4],
  ])('%s: rejects %s', async (dialect, sql, message, offset) => {
    expect((await inspectPolyglot(dialect, sql)).error).toMatchObject({ message, offset })
  })

  it.each([
    ['mysql', 'SELECT 1', 'SELECT 1\nLIMIT 7'],
    ['mysql', 'SELECT 1 UNION SELECT 2', 'SELECT 1 UNION SELECT 2\nLIMIT 7'],
    ['mysql', "SELECT '😀' LIMIT 100 OFFSET 1", "SELECT '😀' LIMIT 7 OFFSET 1"],
    ['mysql', 'SELECT (SELECT 1 LIMIT 9) LIMIT 5, 100', 'SELECT (SELECT 1 LIMIT 9) LIMIT 5, 7'],
    ['mysql', 'SELECT 1 LIMIT 3', 'SELECT 1 LIMIT 3'],
    ['mysql', 'SELECT 1 LIMIT @a', 'SELECT 1 LIMIT @a'],
    ['mysql', 'SELECT * FROM a FOR UPDATE', 'SELECT * FROM a FOR UPDATE'],
    ['mysql', '(SELECT 1 LIMIT 100)', '(SELECT 1 LIMIT 100)'],
    ['mysql', 'SHOW TABLES', 'SHOW TABLES'],
    ['sqlite', 'SELECT 1 LIMIT 50 + 50', 'SELECT 1 LIMIT 50 + 50'],
    ['sqlite', 'VALUES (1)', 'VALUES (1)'],
    ['trino', 'SELECT 1 OFFSET 2 ROWS', 'SELECT 1 OFFSET 2 ROWS\nLIMIT 7'],
    ['trino', 'SELECT 1 FETCH FIRST 100 ROWS ONLY', 'SELECT 1 FETCH FIRST 7 ROWS ONLY'],
    [
      'trino',
      'SELECT 1 ORDER BY 1 FETCH FIRST 100 ROWS WITH TIES',
      'SELECT 1 ORDER BY 1 FETCH FIRST 100 ROWS WITH TIES',
    ],
    ['trino', 'SELECT 1 FETCH FIRST ROW ONLY', 'SELECT 1 FETCH FIRST ROW ONLY'],
    ['trino', 'SELECT 1 LIMIT ALL', 'SELECT 1 LIMIT ALL'],
    ['trino', 'EXPLAIN SELECT 1', 'EXPLAIN SELECT 1'],
    ['clickhouse', 'SELECT 1 LIMIT 2 BY a', 'SELECT 1 LIMIT 2 BY a\nLIMIT 7'],
    ['clickhouse', 'SELECT 1 LIMIT 200 BY a LIMIT 100', 'SELECT 1 LIMIT 200 BY a LIMIT 7'],
    ['clickhouse', 'SELECT 1 LIMIT 200 OFFSET 1 BY a', 'SELECT 1 LIMIT 200 OFFSET 1 BY a\nLIMIT 7'],
    ['clickhouse', 'SELECT 1 ORDER BY 1 LIMIT 100 WITH TIES', 'SELECT 1 ORDER BY 1 LIMIT 100 WITH TIES'],
    ['clickhouse', 'SELECT 1 SETTINGS a = 1', 'SELECT 1 SETTINGS a = 1'],
    ['clickhouse', 'SELECT 1 LIMIT 100 FORMAT JSON', 'SELECT 1 LIMIT 7 FORMAT JSON'],
    ['clickhouse', 'SELECT 1 UNION ALL SELECT 2 LIMIT 100', 'SELECT 1 UNION ALL SELECT 2 LIMIT 100'],
    ['clickhouse', 'SELECT 1 OFFSET 1 ROWS', 'SELECT 1 OFFSET 1 ROWS'],
  ])('%s: applies a limit: %s', async (dialect, sql, limited) => {
    expect(spliceLimit(sql, await only(dialect, sql), 7)).toBe(limited)
  })

  it('finds the positions of tables after wide characters and in later statements', async () => {
    const sql = "SELECT 1; # 😀\nEXPLAIN SELECT '😀é' FROM /* ü😀 */ a . `T 1` AS q"
    const [table] = (await inspectPolyglot('mysql', sql)).statements[1]!.tables
    expect(sql.slice(...table!.span!)).toBe('a . `T 1`')
  })

  it.each(['mysql', 'sqlite', 'trino', 'clickhouse'])(
    'regression: %s: a first word that begins no statement is a syntax error, not a statement that may write',
    async (dialect) => {
      for (const [sql, near, offset] of [
        ['SELEC 1', 'SELEC', 0],
        ['SELECT 1; insrt INTO t VALUES (1)', 'insrt', 10],
        ['  hello', 'hello', 2],
        [') SELECT 1', ')', 0],
        ['42', '42', 0],
        ['explian SELECT 1', 'explian', 0],
      ] as const)
        expect((await inspectPolyglot(dialect, sql)).error).toMatchObject({
          message: `syntax error at or near "${near}"`,
          offset,
        })
      for (const sql of ['INSERT INTO t VALUES (1)', 'GRANT SELECT ON t TO x', 'OPTIMIZE TABLE t', 'ANALYZE TABLE t'])
        expect((await inspectPolyglot(dialect, sql)).error).toBeNull()
    },
  )

  it('reports the position of a syntax error', async () => {
    expect((await inspectPolyglot('mysql', "SELECT 1;\nSELECT '😀' frm x y z")).error).toEqual({
      message: 'syntax error at or near "x"',
      line: 2,
      column: 17,
      offset: 26,
    })
    expect((await inspectPolyglot('sqlite', `SELECT ${'('.repeat(2000)}1${')'.repeat(2000)}`)).error).toMatchObject({
      offset: 519,
    })
  })

  it('knows whether a query has an order', async () => {
    expect(await only('trino', 'SELECT 1 ORDER BY 1 LIMIT 3')).toMatchObject({ hasOrder: true, ownLimit: 3 })
    expect(await only('mysql', 'SELECT * FROM (SELECT 1 ORDER BY 1) q')).toMatchObject({ hasOrder: false })
  })
})
