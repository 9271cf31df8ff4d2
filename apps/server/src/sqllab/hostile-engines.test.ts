import Database from 'better-sqlite3'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Attempts,
  campaign,
  type AdminOnlyAttempts,
  grantTable,
  grantSqlLabToAlpha,
  marker,
  expectAdminOnly,
  expectOpenedByAdmin,
  expectNoLeakInCharts,
  expectNoLeakInDatasets,
} from './hostile.testing.ts'
import { type ExecuteResult, startTestLab, type TestLab } from './testing.ts'

/** Spellings that these engines share, over `cars` (granted) and `secret`, in the schema of the run. */
const common: Attempts = {
  reading: [
    'SELECT * FROM secret',
    'SELECT * FROM/**/secret',
    'SELECT * FROM cars, secret',
    'SELECT * FROM cars CROSS JOIN secret',
    'SELECT name FROM cars UNION ALL SELECT s FROM secret',
    'SELECT name FROM cars UNION ALL SELECT s FROM (SELECT s FROM secret) AS q',
    'SELECT (SELECT max(s) FROM secret) AS s FROM cars',
    'SELECT q.s FROM (SELECT s FROM secret) AS q',
    `SELECT '${marker}' AS s FROM cars WHERE EXISTS (SELECT 1 FROM secret)`,
    `SELECT '${marker}' AS s FROM cars WHERE name NOT IN (SELECT s FROM secret)`,
    `SELECT CASE WHEN (SELECT count(*) FROM secret) = 1 THEN '${marker}' END AS s FROM cars`,
    'WITH a AS (SELECT * FROM secret) SELECT * FROM a',
    'WITH a AS (SELECT s FROM secret), b AS (SELECT * FROM a) SELECT * FROM b',
    `SELECT name, (SELECT max(s) FROM secret) AS s FROM cars ORDER BY name LIMIT 1`,
    'SELECT max(s) AS m FROM secret GROUP BY s HAVING count(*) > 0',
    'SELECT 1; SELECT * FROM secret',
  ],
  refused: [
    '',
    'SELECT * FROM sеcret',
    'SELECT * FROM secret\0',
    `SELECT 'a`,
    'SELECT * FROM secret WHERE',
    'INSERT INTO cars SELECT * FROM secret',
    'CREATE VIEW mine AS SELECT * FROM secret',
    'DROP TABLE cars',
    'SELECT * FROM cars; DELETE FROM cars',
    'DESCRIBE secret',
    'SHOW TABLES',
  ],
  open: ['SELECT * FROM cars', 'SELECT c.name FROM cars AS c', `SELECT 'secret' AS secret FROM cars`],
}

const engines: Record<
  'ClickHouse' | 'MySQL' | 'SQLite' | 'Trino',
  {
    url: string | undefined
    setup(): readonly string[]
    schema: string
    own: Attempts
    administrators?: AdminOnlyAttempts
    /** Chart SQL that would read data that is not granted. */
    expressions: readonly string[]
  }
> = {
  ClickHouse: {
    url: process.env['PARQUETRY_TEST_CLICKHOUSE'],
    schema: `hostile_${process.pid}`,
    administrators: {
      texts: [
        'SELECT count() AS n FROM system.server_settings',
        'SELECT count() AS n FROM system.processes',
        'SELECT count() AS n FROM cars, system.settings',
        'SELECT count() AS n FROM `system`."user_processes"',
        'SHOW GRANTS',
        'SHOW PROCESSLIST',
      ],
      table: ['system', 'settings'],
    },
    expressions: [
      `CASE WHEN '${marker}' IN secret THEN 1 END`,
      `CASE WHEN '${marker}' IN hostile_${process.pid}.secret THEN 1 END`,
      `CASE WHEN name NOT IN "secret" THEN 1 END`,
      `CASE WHEN '${marker}' IN (secret) THEN 1 END`,
      `CASE WHEN in('${marker}', secret) THEN 1 END`,
      `leak_${process.pid}(1)`,
    ],
    setup: () => [
      `CREATE DATABASE hostile_${process.pid}`,
      `CREATE DATABASE hostile_${process.pid}_other`,
      ...[
        [`hostile_${process.pid}.cars`, `1 AS id, 'a' AS name`],
        [`hostile_${process.pid}.secret`, `'${marker}' AS s`],
        [`hostile_${process.pid}_other.cars`, `1 AS id, '${marker}' AS name`],
      ].map(([table, row]) => `CREATE TABLE ${table} ENGINE = MergeTree ORDER BY tuple() AS SELECT ${row}`),
      `CREATE VIEW hostile_${process.pid}.v_secret AS SELECT * FROM hostile_${process.pid}.secret`,
      `CREATE FUNCTION leak_${process.pid} AS (a) -> (SELECT max(s) FROM hostile_${process.pid}.secret)`,
    ],
    own: {
      reading: [
        'SELECT * FROM `secret`',
        'SELECT * FROM "secret"',
        'SELECT * FROM "se\\x63ret"',
        'SELECT * FROM v_secret',
        'FROM secret SELECT *',
        'SELECT * FROM secret SETTINGS max_threads = 1',
        `SELECT * FROM hostile_${process.pid}.secret`,
        `SELECT * FROM hostile_${process.pid}_other.cars`,
        `SELECT leak_${process.pid}(1) AS s`,
        'SELECT s FROM secret // x',
        'SELECT s FROM secret # x',
        'SELECT s FROM /* a /* b */ c */ secret',
        'SELECT s FROM cars ARRAY JOIN (SELECT groupArray(s) FROM secret) AS s',
        `SELECT '${marker}' AS s FROM cars WHERE name NOT IN secret`,
        `SELECT '${marker}' AS s FROM cars WHERE name NOT IN (secret)`,
        `SELECT '${marker}' AS s FROM cars WHERE name NOT IN ((hostile_${process.pid}.secret))`,
        `SELECT '${marker}' AS s FROM cars WHERE in('${marker}', secret)`,
        `SELECT '${marker}' AS s FROM cars PREWHERE id = (SELECT count() FROM secret)`,
        'WITH (SELECT max(s) FROM secret) AS x SELECT x',
        'SELECT * FROM cars ANY LEFT JOIN (SELECT 1 AS id, s FROM secret) AS q USING (id)',
        'SELECT * FROM (SELECT * FROM secret) SETTINGS max_threads = 1',
        "SELECT COLUMNS('.*') FROM secret",
        'SELECT * APPLY upper, s FROM secret',
      ],
      refused: [
        'SELECT * FROM secret FORMAT JSONCompact',
        `SELECT * FROM secret INTO OUTFILE '/tmp/x'`,
        'SHOW DATABASES',
        'SHOW FULL TABLES',
        'SHOW CREATE TABLE secret',
        'SHOW CREATE secret',
        'SHOW CREATE VIEW v_secret',
        'SHOW PROCESSLIST',
        'SHOW GRANTS',
        "SHOW SETTINGS LIKE '%'",
        'SHOW COLUMNS FROM secret',
        'SHOW INDEX FROM secret',
        'DESC TABLE secret',
        'EXISTS TABLE secret',
        'EXPLAIN SELECT * FROM secret',
        'EXPLAIN AST SELECT * FROM secret',
        'EXPLAIN ESTIMATE SELECT * FROM secret',
        'SELECT * FROM system.tables',
        'SELECT * FROM system.query_log',
        'SELECT * FROM system.processes',
        'SELECT * FROM information_schema.tables',
        'SELECT * FROM INFORMATION_SCHEMA.TABLES',
        `SELECT * FROM merge('hostile_${process.pid}', 'secret')`,
        `SELECT * FROM remote('127.0.0.1', 'hostile_${process.pid}', 'secret')`,
        `SELECT * FROM cluster('default', 'hostile_${process.pid}', 'secret')`,
        `SELECT * FROM view(SELECT * FROM secret)`,
        `SELECT * FROM viewIfPermitted(SELECT * FROM secret ELSE null('x Int8'))`,
        `SELECT * FROM loop('hostile_${process.pid}', 'secret')`,
        `SELECT * FROM mergeTreeIndex('hostile_${process.pid}', 'secret')`,
        `SELECT * FROM file('/etc/passwd', LineAsString)`,
        `SELECT * FROM url('http://127.0.0.1/', LineAsString)`,
        `SELECT * FROM executable('x', TSV, 'x Int8')`,
        `SELECT joinGet('secret', 's', 1)`,
        `SELECT dictGet('secret', 's', 1)`,
        `SELECT notIn('x', secret)`,
        `SELECT "in"('x', secret)`,
        `SELECT globalNullIn('x', secret)`,
        `SELECT hasColumnInTable('hostile_${process.pid}', 'secret', 's')`,
        `SELECT name FROM cars WHERE name IN hostile_${process.pid}_other.cars`,
        'SELECT sleep(3)',
        "SELECT getSetting('max_threads')",
        `SELECT * FROM cars SETTINGS additional_table_filters = {'cars': 'id = (SELECT count() FROM hostile_${process.pid}.secret)'}`,
        `SELECT * FROM cars SETTINGS \`additional_result_filter\` = '1 = (SELECT count() FROM hostile_${process.pid}.secret)'`,
        `SELECT * FROM (SELECT * FROM cars SETTINGS max_threads = 1, additional_result_filter /* x */ = 'id = 1')`,
        'SET max_threads = 1',
        'USE system',
        'SYSTEM FLUSH LOGS',
        'KILL QUERY WHERE 1',
        'WATCH secret',
        'CHECK TABLE secret',
        'OPTIMIZE TABLE secret',
      ],
      open: [
        'SELECT lower(name), count() FROM cars GROUP BY name',
        'SELECT * FROM numbers(3)',
        'WITH secret AS (SELECT * FROM cars) SELECT name FROM secret',
      ],
    },
  },
  MySQL: {
    url: process.env['PARQUETRY_TEST_MYSQL'],
    schema: `hostile_${process.pid}`,
    administrators: {
      texts: [
        'SELECT count(*) AS n FROM mysql.user',
        'SELECT count(*) AS n FROM `mysql` . `global_priv`',
        'SELECT count(*) AS n FROM information_schema.processlist',
        'SELECT count(*) AS n FROM information_schema.USER_PRIVILEGES',
        'SELECT count(*) AS n FROM performance_schema.threads',
        'SELECT @@global.init_connect AS n',
        'SHOW GRANTS',
        'SHOW FULL PROCESSLIST',
        'SHOW VARIABLES',
      ],
      table: ['information_schema', 'PROCESSLIST'],
    },
    expressions: ['leak()', `hostile_${process.pid}.leak()`, '`leak`()', '(WITH a AS (SELECT 1) TABLE secret)'],
    setup: () => [
      `CREATE DATABASE hostile_${process.pid}`,
      `CREATE DATABASE hostile_${process.pid}_other`,
      `CREATE TABLE hostile_${process.pid}.cars AS SELECT 1 AS id, 'a' AS name`,
      `CREATE TABLE hostile_${process.pid}.secret AS SELECT '${marker}' AS s`,
      `CREATE TABLE hostile_${process.pid}_other.cars AS SELECT 1 AS id, '${marker}' AS name`,
      `CREATE VIEW hostile_${process.pid}.v_secret AS SELECT * FROM hostile_${process.pid}.secret`,
      `CREATE FUNCTION hostile_${process.pid}.leak() RETURNS varchar(50) DETERMINISTIC READS SQL DATA
       RETURN (SELECT max(s) FROM hostile_${process.pid}.secret)`,
    ],
    own: {
      reading: [
        'SELECT * FROM `secret`',
        'SELECT * FROM v_secret',
        'SELECT leak() AS s',
        `SELECT hostile_${process.pid}.leak() AS s`,
        'SELECT `leak`() AS s',
        `SELECT * FROM hostile_${process.pid}_other.cars`,
        `SELECT * FROM hostile_${process.pid}.secret`,
        `SELECT * FROM hostile_${process.pid} . secret`,
        'SELECT * FROM cars STRAIGHT_JOIN secret',
        'SELECT * FROM(secret)',
        'SELECT * FROM cars AS c JOIN (cars AS d, secret) ON 1',
        'SELECT s FROM secret # x',
        'SELECT s -- x\nFROM secret',
        'WITH RECURSIVE secret AS (SELECT 1 AS n) SELECT x.s FROM ' + `hostile_${process.pid}.secret AS x`,
        "SELECT '\\'', s FROM secret -- '",
        'SELECT "\\"", s FROM secret -- "',
      ],
      refused: [
        'SELECT * FROM /*!50000 secret */',
        'SELECT /*! s FROM secret */',
        'SELECT * FROM /*M! secret */',
        'SHOW DATABASES',
        'SHOW FULL TABLES',
        'SHOW TABLE STATUS',
        'SHOW CREATE TABLE secret',
        'SHOW CREATE VIEW v_secret',
        'SHOW CREATE FUNCTION leak',
        'SHOW COLUMNS FROM secret',
        `SHOW COLUMNS FROM cars FROM hostile_${process.pid}_other`,
        'SHOW INDEX FROM secret',
        'SHOW FULL PROCESSLIST',
        'SHOW GRANTS',
        'SHOW VARIABLES',
        'SHOW STATUS',
        'SHOW BINARY LOGS',
        `SHOW COLUMNS FROM cars WHERE Field IN (SELECT s FROM secret)`,
        'DESC secret',
        'EXPLAIN secret',
        'EXPLAIN SELECT * FROM secret',
        'ANALYZE SELECT * FROM secret',
        'SELECT * FROM information_schema.tables',
        'SELECT * FROM information_schema.processlist',
        'SELECT * FROM mysql.user',
        'SELECT * FROM performance_schema.threads',
        'SELECT * FROM sys.version',
        `SELECT LOAD_FILE('/etc/passwd')`,
        `SELECT * FROM secret INTO OUTFILE '/tmp/x'`,
        `SELECT * FROM cars INTO @x`,
        `PREPARE p FROM 'SELECT * FROM secret'`,
        'EXECUTE p',
        `EXECUTE IMMEDIATE 'SELECT * FROM secret'`,
        'HANDLER secret OPEN',
        'CALL leak()',
        'DO leak()',
        'SET @x = (SELECT s FROM secret)',
        'SELECT SLEEP(3)',
        'TABLE secret',
        'BEGIN NOT ATOMIC SELECT * FROM secret; END',
        'HELP "x"',
        'CHECK TABLE secret',
        'CHECKSUM TABLE secret',
        'SELECT * FROM cars PROCEDURE ANALYSE()',
      ],
      open: [
        'DESCRIBE cars',
        'SHOW COLUMNS FROM cars',
        `SELECT UPPER(name), COUNT(*), CAST(id AS DECIMAL(10, 2)), DATE_FORMAT(NOW(), '%Y'), IFNULL(name, '') FROM cars GROUP BY name, id`,
        'SELECT 1 FROM dual',
        'WITH secret AS (SELECT * FROM cars) SELECT * FROM secret',
      ],
    },
  },
  SQLite: {
    url: 'file',
    schema: 'main',
    expressions: [
      `CASE WHEN '${marker}' IN secret THEN 1 END`,
      `CASE WHEN '${marker}' IN main.secret THEN 1 END`,
      `CASE WHEN name NOT IN [secret] THEN 1 END`,
    ],
    setup: () => [
      `CREATE TABLE cars AS SELECT 1 AS id, 'a' AS name`,
      `CREATE TABLE secret AS SELECT '${marker}' AS s`,
      `CREATE VIEW v_secret AS SELECT * FROM secret`,
    ],
    own: {
      reading: [
        'SELECT * FROM [secret]',
        'SELECT * FROM `secret`',
        'SELECT * FROM "secret"',
        'SELECT * FROM main.secret',
        'SELECT * FROM SECRET',
        'SELECT * FROM v_secret',
        'SELECT * FROM (secret)',
        'SELECT * FROM cars JOIN (cars AS b, secret)',
        `SELECT '${marker}' AS s FROM cars WHERE 'x' NOT IN secret`,
        'WITH secret AS (SELECT 1 AS s) SELECT * FROM main.secret',
        'VALUES ((SELECT s FROM secret))',
        'SELECT * FROM secret NOT INDEXED',
        `SELECT * FROM json_each((SELECT json_array(s) FROM secret))`,
      ],
      refused: [
        `SELECT * FROM 'secret'`,
        'SELECT * FROM sqlite_master',
        'SELECT * FROM sqlite_schema',
        'SELECT * FROM sqlite_temp_master',
        `SELECT * FROM pragma_table_info('secret')`,
        'SELECT * FROM pragma_database_list',
        'SELECT * FROM dbstat',
        'PRAGMA table_info(secret)',
        'PRAGMA database_list',
        `ATTACH DATABASE '/tmp/x' AS x`,
        `SELECT load_extension('x')`,
        `SELECT readfile('/etc/passwd')`,
        'EXPLAIN SELECT * FROM secret',
        'EXPLAIN QUERY PLAN SELECT * FROM secret',
        'SELECT * FROM temp.secret',
        `VACUUM INTO '/tmp/x'`,
      ],
      open: ['EXPLAIN QUERY PLAN SELECT * FROM cars', 'WITH secret AS (SELECT * FROM cars) SELECT name FROM secret'],
    },
  },
  Trino: {
    url: process.env['PARQUETRY_TEST_TRINO'],
    schema: `hostile_${process.pid}`,
    administrators: {
      texts: [
        'SELECT count(*) AS n FROM system.runtime.queries',
        'SELECT count(*) AS n FROM "SYSTEM"."runtime"."nodes"',
        'SELECT count(*) AS n FROM information_schema.enabled_roles',
        'SHOW SESSION',
      ],
      table: ['information_schema', 'enabled_roles'],
    },
    expressions: ['(WITH a AS (SELECT 1) TABLE secret)', '(TABLE secret)'],
    setup: () => [
      `CREATE SCHEMA memory.hostile_${process.pid}`,
      `CREATE TABLE memory.hostile_${process.pid}.cars AS SELECT 1 AS id, 'a' AS name`,
      `CREATE TABLE memory.hostile_${process.pid}.secret AS SELECT '${marker}' AS s`,
      `CREATE VIEW memory.hostile_${process.pid}.v_secret AS SELECT * FROM memory.hostile_${process.pid}.secret`,
      `CREATE VIEW memory.hostile_${process.pid}.v_two AS SELECT s, 1 AS x FROM memory.hostile_${process.pid}.secret`,
    ],
    own: {
      reading: [
        'SELECT * FROM "secret"',
        'SELECT * FROM SECRET',
        'SELECT * FROM v_secret',
        `SELECT * FROM memory.hostile_${process.pid}.secret`,
        `SELECT * FROM hostile_${process.pid}.secret`,
        'TABLE secret',
        'SELECT * FROM cars CROSS JOIN LATERAL (SELECT s FROM secret)',
        'SELECT * FROM secret TABLESAMPLE BERNOULLI (100)',
        'SELECT * FROM TABLE(exclude_columns(input => TABLE(v_two), columns => DESCRIPTOR(x)))',
        'SELECT ROW((SELECT max(s) FROM secret)) AS s',
      ],
      refused: [
        'SELECT * FROM (TABLE secret)',
        'VALUES (SELECT max(s) FROM secret)',
        'SHOW SCHEMAS',
        'SHOW CATALOGS',
        'SHOW TABLES FROM memory.information_schema',
        'SHOW COLUMNS FROM secret',
        'SHOW CREATE TABLE secret',
        'SHOW CREATE VIEW v_secret',
        'SHOW STATS FOR secret',
        'SHOW STATS FOR (SELECT * FROM secret)',
        'SHOW SESSION',
        'SHOW FUNCTIONS',
        'EXPLAIN SELECT * FROM secret',
        'EXPLAIN ANALYZE SELECT * FROM secret',
        'EXPLAIN (TYPE IO) SELECT * FROM secret',
        'SELECT * FROM information_schema.tables',
        'SELECT * FROM memory.information_schema.columns',
        'SELECT * FROM system.runtime.queries',
        'SELECT * FROM system.metadata.catalogs',
        'SELECT * FROM system.jdbc.tables',
        'SELECT * FROM tpch.tiny.nation',
        `SELECT * FROM TABLE(memory.system.query(query => 'SELECT * FROM secret'))`,
        'SELECT * FROM "cars$properties"',
        'PREPARE p FROM SELECT * FROM secret',
        `EXECUTE IMMEDIATE 'SELECT * FROM secret'`,
        'CALL system.runtime.kill_query(query_id => 1)',
        'USE tpch.tiny',
        "SET SESSION query_max_run_time = '1h'",
        'WITH FUNCTION f() RETURNS int RETURN 1 SELECT f() FROM secret',
      ],
      open: ['DESCRIBE cars', 'SHOW COLUMNS FROM cars', 'WITH secret AS (SELECT * FROM cars) SELECT * FROM secret'],
    },
  },
}

describe.each(Object.keys(engines) as (keyof typeof engines)[])('hostile SQL on %s', (name) => {
  const { url, setup, schema, own, expressions, administrators } = engines[name]
  const all = (kind: keyof Attempts) => [...common[kind], ...own[kind]]

  describe.skipIf(!url)('on a server', () => {
    const home = mkdtempSync(join(tmpdir(), 'parquetry-hostile-'))
    let lab: TestLab
    let database_id: number
    let cars: number
    const { run, expectAllowed, expectReading, expectRefused } = campaign(
      () => lab,
      () => ({ database_id, schema }),
    )
    beforeAll(async () => {
      mkdirSync(join(home, 'files'))
      lab = await startTestLab({ settings: { files: [join(home, 'files')] } })
      const { settings } = lab.server.deps
      Object.assign(settings, { config: { ...settings.config, PREVENT_UNSAFE_DB_CONNECTIONS: false } })
      const uri = await address()
      const writer = await lab.connect({ database_name: 'writer', sqlalchemy_uri: uri, allow_dml: true })
      if (name !== 'SQLite')
        for (const sql of setup()) {
          const made = await run(sql, 'admin', { database_id: writer, schema: 'information_schema' })
          expect(made.statusCode, made.body).toBe(200)
        }
      database_id = await lab.connect({ database_name: 'hostile', sqlalchemy_uri: uri })
      cars = await grantTable(lab, database_id, { schema, table: 'cars' })
      await grantSqlLabToAlpha(lab)
    }, 120_000)
    afterAll(async () => {
      await lab.close()
      rmSync(home, { recursive: true, force: true })
    })

    /** The URI of the server, or of a new SQLite file. */
    async function address(): Promise<string> {
      if (name === 'SQLite') {
        const file = join(home, 'files', 'hostile.db')
        const database = new Database(file)
        for (const sql of setup()) database.exec(sql)
        database.close()
        return `sqlite:///${file}`
      }
      return name === 'Trino' ? url!.replace(/\/[^/]+\/[^/]+$/, '/memory/default') : url!
    }

    it.each(all('reading'))('shows nothing without access: %s', expectReading)
    it.each(all('refused'))('is rejected for users who may read one table: %#', (sql) => expectRefused(sql))
    it.each(all('open'))('runs for users who may read the table: %s', expectAllowed)
    it.each(expressions)('regression: shows nothing in a chart: %s', (sql) => expectNoLeakInCharts(lab, cars, sql))
    it.each(['(SELECT max(s) FROM secret)', ...expressions])(
      'regression: shows nothing in the expressions of a dataset: %s',
      (sql) => expectNoLeakInDatasets(lab, cars, sql),
    )
    it.each(administrators?.texts ?? [])('regression: is for administrators only: %s', (sql) =>
      expectAdminOnly(lab, { database_id, schema }, sql),
    )
    it.each(administrators ? [administrators] : [])(
      'shows rows of $table through SQL of an administrator',
      ({ table }) => expectOpenedByAdmin(lab, { database_id, schema }, table),
    )
    it('returns the rows of the granted table', async () => {
      expect((await run('SELECT name FROM cars', 'sqllab')).json<ExecuteResult>().data).toEqual([{ name: 'a' }])
    })
  })
})
