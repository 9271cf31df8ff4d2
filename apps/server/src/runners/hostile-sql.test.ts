import { existsSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { code, neverAborted, startTestRunners, type TestRunners } from './testing.ts'

let test: TestRunners
let files: string[]
beforeAll(async () => {
  test = await startTestRunners()
  files = readdirSync(test.folder)
})
afterAll(() => test.close())

/** Attempts by a user of an embedded database; `HOME` is replaced by the folder above its files. */
const attempts: Record<string, string[]> = {
  'read a file': [
    `SELECT * FROM read_csv('HOME/secret.csv')`,
    `SELECT * FROM read_csv_auto(['HOME/secret.csv'])`,
    `SELECT * FROM READ_TEXT('HOME/secret.csv')`,
    `SELECT * FROM "read_blob"('/etc/passwd')`,
    `SELECT * FROM system.main.read_text('HOME/secret.csv')`,
    `SELECT * FROM main.read_text('HOME/secret.csv')`,
    `SELECT * FROM 'HOME/secret.csv'`,
    `SELECT * FROM "HOME/secret.csv"`,
    `TABLE "HOME/secret.csv"`,
    `FROM 'HOME/data/numbers.1.duckdb'`,
    `SELECT * FROM glob('HOME/*')`,
    `SELECT * FROM parquet_metadata('HOME/secret.csv')`,
    `SELECT * FROM sniff_csv('HOME/secret.csv')`,
    `WITH x AS (SELECT * FROM read_text('HOME/secret.csv')) SELECT * FROM x`,
    `SELECT (SELECT content FROM read_text('HOME/secret.csv')) AS x FROM words`,
    `SELECT * FROM words WHERE a IN (SELECT content FROM read_text('HOME/secret.csv'))`,
    `SELECT * FROM words, LATERAL (SELECT * FROM read_text('HOME/secret.csv')) AS x`,
    `SELECT list_transform([1], x -> (SELECT content FROM read_text('HOME/secret.csv')))`,
    `SELECT * FROM (PIVOT (FROM read_text('HOME/secret.csv')) ON size IN (1) USING count(*)) AS q`,
    `EXPLAIN ANALYZE SELECT * FROM read_text('HOME/secret.csv')`,
    `DESCRIBE SELECT * FROM read_text('HOME/secret.csv')`,
    `SUMMARIZE FROM read_text('HOME/secret.csv')`,
    `SELECT * FROM words ORDER BY (SELECT size FROM read_text('HOME/secret.csv'))`,
    `COPY words FROM 'HOME/secret.csv'`,
    `IMPORT DATABASE 'HOME'`,
  ],
  'attach or see another database': [
    `ATTACH 'HOME/secret.duckdb' AS secret`,
    `ATTACH 'HOME/data/words.1.duckdb' AS again`,
    `SELECT * FROM _words_1.main.data`,
    `SELECT * FROM "_words_1".data`,
    `SELECT * FROM query_table('_words_1.main.data')`,
    `USE _words_1`,
    `DETACH _words_1`,
  ],
  'run SQL that is hidden in a text': [
    `SELECT * FROM query('SELECT * FROM read_text(''/etc/passwd'')')`,
    `SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))`,
    `PRAGMA json_execute_serialized_sql('x')`,
    `PREPARE p AS SELECT 1`,
    `EXECUTE p`,
    `SELECT 1; SELECT 2`,
    `SELECT 1 /* ; */ ; DROP VIEW words`,
  ],
  'reach the network or load code': [
    `SELECT * FROM read_csv('http://127.0.0.1:1/x.csv')`,
    `SELECT * FROM 'https://127.0.0.1:1/x.parquet'`,
    `ATTACH 'https://127.0.0.1:1/x.duckdb'`,
    `INSTALL httpfs`,
    `LOAD httpfs`,
    `FORCE INSTALL spatial FROM community`,
    `UPDATE EXTENSIONS`,
    `CREATE SECRET (TYPE s3, KEY_ID 'a', SECRET 'b')`,
  ],
  'change or read settings': [
    `SET threads = 1`,
    `SET GLOBAL memory_limit = '10GB'`,
    `RESET lock_configuration`,
    `PRAGMA enable_profiling`,
    `CALL pragma_database_size()`,
    `SELECT current_setting('temp_directory')`,
    `SELECT getenv('HOME')`,
    `SELECT * FROM duckdb_settings()`,
    `SELECT * FROM duckdb_secrets()`,
    `SET VARIABLE x = 1`,
  ],
  'write anything': [
    `CREATE TABLE x AS SELECT 1`,
    `CREATE TEMP TABLE x AS SELECT 1`,
    `CREATE OR REPLACE VIEW words AS SELECT 1`,
    `CREATE MACRO lower(x) AS 1`,
    `CREATE SEQUENCE s`,
    `DROP VIEW words`,
    `INSERT INTO words VALUES ('a', 'b')`,
    `DELETE FROM words`,
    `UPDATE words SET a = 'x'`,
    `ALTER VIEW words RENAME TO w`,
    `COPY words TO 'HOME/data/x.csv'`,
    `COPY (SELECT 1) TO '/tmp/parquetry-hostile.csv'`,
    `EXPORT DATABASE 'HOME/data/x'`,
    `WITH d AS (DELETE FROM words RETURNING *) SELECT * FROM d`,
    `EXPLAIN ANALYZE INSERT INTO words VALUES ('a', 'b')`,
    `CHECKPOINT`,
    `VACUUM`,
    `BEGIN`,
    `COMMIT`,
    `COMMENT ON VIEW words IS 'x'`,
  ],
  "see others' queries or the catalogue": [
    `SELECT current_query()`,
    `SELECT * FROM duckdb_tables()`,
    `SELECT * FROM duckdb_views`,
    `SELECT * FROM duckdb_databases()`,
    `SELECT * FROM duckdb_logs`,
    `SELECT * FROM duckdb_temporary_files()`,
    `SELECT * FROM duckdb_prepared_statements()`,
    `SELECT * FROM information_schema.tables`,
    `SELECT * FROM pg_catalog.pg_class`,
    `SELECT * FROM sqlite_master`,
    `SHOW DATABASES`,
    `SHOW ALL TABLES`,
    `PRAGMA show_tables_expanded`,
  ],
}

describe.each(Object.entries(attempts))('a user of an embedded database cannot %s', (_, texts) => {
  it.each(texts)('%s', async (text) => {
    const sql = text.replaceAll('HOME', test.folder.slice(0, -'/data'.length))
    for (const guard of ['user-sql', 'ours'] as const)
      expect(await test.runners.run(test.plan(sql, { guard }), neverAborted).catch(code)).toMatch(
        /^(sql_not_allowed|dml_not_allowed|table_missing|syntax_error)$/,
      )
    expect(
      await test.runners.describe(test.source, { what: 'columns', sql }, neverAborted).catch(code),
      'described',
    ).toBeTypeOf('string')
  })
})

it('leaves files, data and processes unchanged', async () => {
  expect(readdirSync(test.folder)).toEqual(files)
  expect(existsSync('/tmp/parquetry-hostile.csv')).toBe(false)
  expect(await test.ask('SELECT * FROM words ORDER BY a')).toEqual([
    { a: 'a0', b: 'b' },
    { a: 'a1', b: 'b' },
    { a: 'a2', b: 'b' },
  ])
  expect(test.pids('embedded')).toHaveLength(1)
})

it('answers catalog queries that readers may run', async () => {
  expect(await test.ask('SHOW TABLES')).toEqual([{ name: 'numbers' }, { name: 'words' }])
  expect(await test.ask('DESCRIBE words')).toMatchObject([{ column_name: 'a' }, { column_name: 'b' }])
})
