import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Attempts,
  campaign,
  grantTable,
  marker,
  expectNoLeakInCharts,
  expectNoLeakInDatasets,
} from './hostile.testing.ts'
import { startTestLab, type TestLab } from './testing.ts'

const attempts: Attempts = {
  reading: [
    'SELECT * FROM secret',
    'FROM secret',
    'FROM secret SELECT *',
    'SELECT * FROM main.secret',
    'SELECT * FROM "secret"',
    'SELECT * FROM SeCrEt',
    `SELECT * FROM 'secret'`,
    'SELECT * FROM/**/secret/* x */',
    'TABLE secret',
    'SELECT * FROM cars, secret',
    'SELECT * FROM cars POSITIONAL JOIN secret',
    'SELECT * FROM cars ASOF JOIN (SELECT 1 AS id, s FROM secret) AS x USING (id)',
    'SELECT * FROM cars, LATERAL (SELECT s FROM secret)',
    'SELECT name FROM cars UNION ALL BY NAME SELECT s AS name FROM secret',
    'SELECT (SELECT s FROM secret), (FROM secret)',
    `SELECT {'a': (SELECT s FROM secret)}`,
    'SELECT [s FOR s IN (SELECT list(s) FROM secret)]',
    'SELECT * FROM (VALUES ((SELECT s FROM secret))) AS v',
    'WITH a AS (FROM secret) FROM a',
    'WITH secret AS (FROM secret) FROM secret',
    'WITH secret AS (SELECT 1 AS s) FROM main.secret',
    `WITH a AS (WITH secret AS (SELECT 'x' AS s) FROM secret) FROM secret`,
    'WITH RECURSIVE a AS (SELECT s, 1 AS n FROM secret UNION ALL SELECT s, n + 1 FROM a WHERE n < 2) FROM a',
    `SELECT * FROM (PIVOT (SELECT s, 1 AS n FROM secret) ON n IN (1) USING max(s)) AS p`,
    `SELECT * FROM (UNPIVOT secret ON s) AS u`,
    `SELECT max(s) OVER (), COLUMNS(*) FROM secret`,
    'SELECT secret FROM secret',
    'SELECT * FROM secret TABLESAMPLE 100%',
    `SELECT name FROM cars QUALIFY row_number() OVER (ORDER BY (SELECT s FROM secret)) > 9 UNION SELECT '${marker}' FROM secret`,
    'SUMMARIZE secret',
    'SELECT * FROM (SUMMARIZE secret)',
    `EXPLAIN SELECT * FROM secret WHERE s = '${marker}'`,
    `EXPLAIN ANALYZE SELECT * FROM secret WHERE s = '${marker}'`,
    `SELECT unnest((SELECT list(s) FROM secret))`,
    `SELECT * FROM unnest((SELECT list(s) FROM secret))`,
    `SELECT * FROM json_each((SELECT to_json(s) FROM secret))`,
    'SELECT DISTINCT ON (s) * FROM secret',
    'SELECT 1; FROM secret',
    `SELECT $$;$$; SELECT s FROM secret`,
  ],
  refused: [
    '',
    'DESCRIBE secret',
    'DESCRIBE',
    'SHOW TABLES',
    'SHOW ALL TABLES',
    'SELECT * FROM (SHOW TABLES)',
    'SELECT * FROM (DESCRIBE secret)',
    'SHOW secret',
    'SHOW DATABASES',
    'PRAGMA show_tables',
    'PRAGMA database_list',
    `PRAGMA table_info('secret')`,
    `SELECT * FROM pragma_table_info('secret')`,
    `SELECT * FROM query('FROM secret')`,
    `SELECT * FROM query_table('secret')`,
    `SELECT * FROM query_table(['secret'])`,
    `SELECT json_execute_serialized_sql(json_serialize_sql('FROM secret'))`,
    `FROM json_execute_serialized_sql(json_serialize_sql('FROM secret'))`,
    `SELECT * FROM duckdb_tables()`,
    `SELECT * FROM duckdb_views()`,
    `SELECT * FROM duckdb_columns()`,
    `SELECT * FROM duckdb_settings()`,
    `SELECT * FROM duckdb_secrets()`,
    `SELECT * FROM information_schema.tables`,
    `SELECT * FROM information_schema.columns`,
    `SELECT * FROM pg_catalog.pg_class`,
    `SELECT * FROM pg_class`,
    `SELECT * FROM sqlite_master`,
    `SELECT * FROM duckdb_logs`,
    `SELECT * FROM read_csv('/etc/passwd')`,
    `SELECT * FROM '/etc/passwd'`,
    `SELECT * FROM 'secret.csv'`,
    `SELECT * FROM "secret.csv"`,
    `SELECT * FROM glob('*')`,
    `SELECT content FROM read_text('/etc/passwd')`,
    `SELECT * FROM parquet_scan('x')`,
    `SELECT * FROM read_duckdb('x')`,
    `SELECT getenv('HOME')`,
    `SELECT current_setting('home_directory')`,
    `SELECT has_table_privilege('secret', 'SELECT')`,
    `SELECT 'secret'::regclass`,
    `SELECT * FROM memory.main.secret`,
    `SELECT * FROM system.main.duckdb_tables`,
    `SELECT * FROM temp.secret`,
    `PIVOT secret ON s`,
    `PIVOT cars ON name`,
    `ATTACH 'x.db'`,
    `COPY secret TO 'x.csv'`,
    `COPY (FROM secret) TO '/dev/stdout'`,
    `EXPORT DATABASE 'x'`,
    `CREATE VIEW mine AS FROM secret`,
    `CREATE MACRO mine() AS TABLE FROM secret`,
    `CREATE TEMP TABLE mine AS FROM secret`,
    `PREPARE p AS FROM secret`,
    `EXECUTE p`,
    `CALL query('FROM secret')`,
    `CALL pragma_version()`,
    `INSTALL httpfs`,
    `LOAD httpfs`,
    `SET memory_limit = '1GB'`,
    `RESET memory_limit`,
    `SET VARIABLE x = (SELECT s FROM secret)`,
    `USE main`,
    `VACUUM`,
    `CHECKPOINT`,
    `SELECT * FROM sеcret`,
    `SELECT * FROM secret\0`,
    `SELECT 'a`,
    `SELECT 1 /* x`,
  ],
  open: [
    'SELECT * FROM cars',
    'FROM cars',
    'DESCRIBE cars',
    'SUMMARIZE cars',
    'WITH secret AS (FROM cars) FROM secret',
    `SELECT 'secret' AS secret FROM cars`,
    'SELECT * FROM range(3)',
    `SELECT upper(name), count(*) FROM cars GROUP BY ALL`,
  ],
}

describe('hostile SQL on DuckDB', () => {
  let lab: TestLab
  let database_id: number
  let cars: number
  const { run, expectAllowed, expectReading, expectRefused } = campaign(
    () => lab,
    () => ({ database_id, schema: 'main' }),
  )
  beforeAll(async () => {
    lab = await startTestLab()
    database_id = lab.files
    const made = await run(`SELECT '${marker}' AS s`, 'admin', { select_as_cta: true, tmp_table_name: 'secret' })
    expect(made.statusCode, made.body).toBe(200)
    cars = await grantTable(lab, database_id, { schema: 'main', table: 'cars' })
  }, 60_000)
  afterAll(() => lab.close())

  it.each(attempts.reading)('shows nothing without access: %s', expectReading)
  it.each(attempts.refused)('is rejected for users who may read one table: %#', (sql) => expectRefused(sql))
  it.each(attempts.open)('runs for users who may read the table: %s', expectAllowed)
  const expressions = ['(WITH a AS (SELECT 1) TABLE secret)', '((WITH a AS (SELECT 1) FROM secret))']
  it.each(expressions)('regression: shows nothing in a chart: %s', (sql) => expectNoLeakInCharts(lab, cars, sql))
  it.each(['(SELECT max(s) FROM secret)', ...expressions])(
    'regression: shows nothing in the expressions of a dataset: %s',
    (sql) => expectNoLeakInDatasets(lab, cars, sql),
  )

  it('does not create a table from data that may not be read', async () => {
    const more = { select_as_cta: true, tmp_table_name: 'copied' }
    expect((await run('FROM secret', 'sqllab', more)).statusCode).toBe(403)
    expect((await run('FROM copied', 'admin')).statusCode).toBe(400)
  })
})
