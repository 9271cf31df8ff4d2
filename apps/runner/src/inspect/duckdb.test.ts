import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadEmbeddedDriver, type Instance } from '@parquetry/engines/drivers'
import { spliceLimit } from '@parquetry/sql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDuckdb } from './duckdb.ts'
import { inspect } from './inspect.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-inspect-'))
let instance: Instance

beforeAll(async () => {
  const driver = await loadEmbeddedDriver('duckdb')
  instance = await driver.open(folder, [], { memoryLimitMb: 100, threads: 1, spillFolder: join(folder, 'spill') })
})
afterAll(() => {
  instance.close()
  rmSync(folder, { recursive: true })
})

const inspectDuckdb = (sql: string) =>
  inspect(sql, 'duckdb', (statement) => parseDuckdb(statement, (text) => instance.parse(text)))
const listTables = async (sql: string) =>
  (await inspectDuckdb(sql)).statements.flatMap(({ tables }) =>
    tables.map(({ catalog, schema, name }) => [catalog, schema, name].filter((part) => part !== null).join('.')),
  )

describe('the inspector of DuckDB', () => {
  it.each([
    ['SELECT 1', []],
    ['SELECT * FROM a, "B c", main.d, x.y.z', ['a', 'B c', 'main.d', 'x.y.z']],
    ['FROM a SELECT count(*)', ['a']],
    ['TABLE a', ['a']],
    ['SELECT (SELECT max(x) FROM a) FROM b WHERE EXISTS (FROM c) ORDER BY (SELECT 1 FROM d)', ['a', 'b', 'c', 'd']],
    ['SELECT * FROM a JOIN b USING (x) LEFT JOIN LATERAL (SELECT * FROM c WHERE c.x = a.x) q ON true', ['a', 'b', 'c']],
    ['SELECT * FROM (PIVOT a ON b IN (1, 2) USING sum(c)) q', ['a']],
    ['UNPIVOT a ON b, c INTO NAME n VALUE v', ['a']],
    ['DESCRIBE a', ['a']],
    ['SUMMARIZE SELECT * FROM a', ['a']],
    ['EXPLAIN ANALYZE SELECT * FROM a', ['a']],
    ["SELECT * FROM 'data.csv'", ['data.csv']],
    ['SELECT list_transform([1], x -> (SELECT max(y) FROM a))', ['a']],
    ['SELECT CASE WHEN x THEN (SELECT 1 FROM a) END FROM b', ['b', 'a']],
    ['VALUES ((SELECT 1 FROM a))', ['a']],
    ['SELECT * FROM unnest((SELECT list(x) FROM a))', ['a']],
  ])('reads tables: %s', async (sql, tables) => {
    expect((await listTables(sql)).toSorted()).toEqual(tables.toSorted())
  })

  it.each([
    ['WITH a AS (SELECT 1) SELECT * FROM a', []],
    ['WITH A AS (SELECT 1) SELECT * FROM a', []],
    ['WITH a AS (SELECT * FROM a) SELECT * FROM a', ['a']],
    ['WITH a AS (SELECT 1) SELECT * FROM main.a', ['main.a']],
    ['WITH a AS (SELECT 1), b AS (SELECT * FROM a) SELECT * FROM b', []],
    ['WITH b AS (SELECT * FROM a), a AS (SELECT 1) SELECT * FROM b', ['a']],
    ['SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) q, a', ['a']],
    ['WITH a AS MATERIALIZED (SELECT 1) SELECT * FROM a UNION ALL SELECT * FROM b', ['b']],
    ['WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a WHERE n < 3) SELECT * FROM a', []],
    ['WITH RECURSIVE a AS (SELECT n FROM a UNION ALL SELECT n + 1 FROM a) SELECT * FROM a', ['a']],
    ['WITH a AS (SELECT 1) SELECT (SELECT max(x) FROM a) FROM b', ['b']],
  ])('knows the scope of WITH: %s', async (sql, tables) => {
    expect(await listTables(sql)).toEqual(tables)
  })

  it('tells statements and their kinds apart', async () => {
    const { statements } = await inspectDuckdb(`
      -- first
      SELECT 1; SHOW TABLES; DESCRIBE x; SUMMARIZE x; EXPLAIN SELECT 1; EXPLAIN (ANALYZE, FORMAT json) SELECT 1;
      INSERT INTO x VALUES (';'); CREATE TABLE y AS SELECT 1; SET threads = 1; PRAGMA version; COPY x TO 'y'; ATTACH 'z';;
      PIVOT x ON y`)
    expect(statements.map(({ kind }) => kind)).toEqual([
      'select', 'show', 'describe', 'summarize', 'explain', 'explain',
      'insert', 'create', 'set', 'pragma', 'copy', 'attach', 'pivot',
    ]) // prettier-ignore
    expect(statements.map(({ readOnly }) => readOnly)).toEqual([...Array(6).fill(true), ...Array(7).fill(false)])
  })

  it('returns functions and, separately, those in FROM, including functions inside arguments', async () => {
    const { statements } = await inspectDuckdb(
      "SELECT sum(a) OVER (), getenv('x'), 1 + 2 FROM range(abs(-3)) t(a), x.read_csv('/etc/passwd') WHERE lower('A') IN (FROM glob('*'))",
    )
    expect(statements[0]?.functions.toSorted()).toEqual(['abs', 'getenv', 'lower', 'sum'])
    expect(statements[0]?.tableFunctions.toSorted()).toEqual(['glob', 'range', 'read_csv'])
  })

  it('finds the positions of tables and limits after wide characters', async () => {
    const sql = 'SELECT 1; SELECT \'😀é\' AS a FROM /* ü */ main . "T 1" AS q LIMIT  1000 OFFSET 3'
    const statement = (await inspectDuckdb(sql)).statements[1]!
    expect(sql.slice(...statement.tables[0]!.span!)).toBe('main')
    expect(sql.slice(...statement.limitSpan!)).toBe('1000')
    expect(statement.ownLimit).toBe(1000)
    expect(spliceLimit(sql, statement, 10)).toBe(
      'SELECT \'😀é\' AS a FROM /* ü */ main . "T 1" AS q LIMIT  10 OFFSET 3',
    )
    expect(spliceLimit(sql, statement, 5000)).toBe(sql.slice(10))
  })

  it.each([
    ['SELECT 1', 'SELECT 1\nLIMIT 7'],
    ['SELECT 1 -- why', 'SELECT 1\nLIMIT 7'],
    ['VALUES (1), (2)', 'VALUES (1), (2)\nLIMIT 7'],
    ['SELECT 1 OFFSET 1', 'SELECT 1 OFFSET 1\nLIMIT 7'],
    ['FROM x SELECT a UNION ALL FROM y ORDER BY 1', 'FROM x SELECT a UNION ALL FROM y ORDER BY 1\nLIMIT 7'],
    ['SELECT * FROM (SELECT 1 LIMIT 3)', 'SELECT * FROM (SELECT 1 LIMIT 3)\nLIMIT 7'],
    ['SELECT 1 LIMIT 3', 'SELECT 1 LIMIT 3'],
    ['SELECT 1 LIMIT 10%', 'SELECT 1 LIMIT 10%'],
    ['SELECT 1 LIMIT 5 + 5', 'SELECT 1 LIMIT 5 + 5'],
    ['SELECT 1 LIMIT $1', 'SELECT 1 LIMIT $1'],
    ['SELECT 1 LIMIT 1e3', 'SELECT 1 LIMIT 1e3'],
    ['SHOW TABLES', 'SHOW TABLES'],
    ['EXPLAIN SELECT 1 LIMIT 9', 'EXPLAIN SELECT 1 LIMIT 9'],
  ])('applies a limit: %s', async (sql, limited) => {
    expect(spliceLimit(sql, (await inspectDuckdb(sql)).statements[0]!, 7)).toBe(limited)
  })

  it('reports the position of a syntax error', async () => {
    expect((await inspectDuckdb("SELECT 1;\nSELECT '😀' FRM x y")).error).toEqual({
      message: 'syntax error at or near "x"',
      line: 2,
      column: 17,
      offset: 26,
    })
    expect((await inspectDuckdb("SELECT 'abc")).error).toMatchObject({ line: 1, column: 8 })
    expect((await inspectDuckdb('SELECT 1 /* abc')).error).toMatchObject({ offset: 9 })
    expect(await inspectDuckdb(' -- nothing\n ;')).toEqual({ statements: [], error: null })
  })
})
