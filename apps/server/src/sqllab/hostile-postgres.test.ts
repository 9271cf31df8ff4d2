import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Attempts,
  campaign,
  grantTable,
  grantSqlLabToAlpha,
  marker,
  expectAdminOnly,
  expectOpenedByAdmin,
  expectNoLeakInCharts,
  expectNoLeakInDatasets,
} from './hostile.testing.ts'
import { newId, startTestLab, type TestLab } from './testing.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const schema = `hostile_${process.pid}`
const other = `${schema}_other`
const cars = `cars_${process.pid}`

const attempts: Attempts = {
  reading: [
    'SELECT * FROM secret',
    `SELECT * FROM ${schema}.secret`,
    `SELECT * FROM "${schema}"."secret"`,
    'SELECT * FROM SECRET',
    'SELECT * FROM/**/secret',
    'SELECT * FROM /* a /* nested */ one */ secret -- x',
    'SELECT * FROM\tsecret\r\n',
    'SELECT * FROM U&"s\\0065cret"',
    'SELECT * FROM U&"s!0065cret" UESCAPE \'!\'',
    'TABLE secret',
    'TABLE ONLY secret',
    'SELECT * FROM ONLY secret',
    'SELECT * FROM secret *',
    'SELECT * FROM secret TABLESAMPLE BERNOULLI (100)',
    `SELECT secret FROM secret`,
    `SELECT * FROM ${cars}, secret`,
    `SELECT * FROM ${cars} LEFT JOIN secret ON true`,
    `SELECT * FROM ${cars} NATURAL JOIN secret`,
    `SELECT * FROM ${cars} CROSS JOIN LATERAL (SELECT s FROM secret) AS l`,
    `SELECT * FROM ${cars}, LATERAL (SELECT s FROM secret WHERE ${cars}.id > 0) AS l`,
    `SELECT name FROM ${cars} UNION SELECT s FROM secret`,
    `SELECT name FROM ${cars} UNION ALL (TABLE secret)`,
    `(SELECT name FROM ${cars}) UNION ALL (SELECT s FROM secret)`,
    `SELECT s FROM secret EXCEPT SELECT name FROM ${cars}`,
    `SELECT (SELECT s FROM secret LIMIT 1) FROM ${cars}`,
    `SELECT ARRAY(SELECT s FROM secret)`,
    `SELECT name, (SELECT string_agg(s, '') FROM secret) FROM ${cars} ORDER BY 1`,
    `SELECT count(*), max((SELECT s FROM secret)) FROM ${cars} GROUP BY (SELECT s FROM secret)`,
    `SELECT CASE WHEN EXISTS (SELECT FROM secret) THEN '${marker}' END FROM ${cars}`,
    `SELECT '${marker}' FROM ${cars} ORDER BY (SELECT s FROM secret) LIMIT (SELECT count(*) FROM secret)`,
    `SELECT sum(id) FILTER (WHERE EXISTS (TABLE secret)), '${marker}' FROM ${cars}`,
    `SELECT rank() OVER (ORDER BY (SELECT s FROM secret)), '${marker}' FROM ${cars}`,
    'WITH a AS (SELECT * FROM secret) SELECT * FROM a',
    'WITH secret AS (SELECT * FROM secret) SELECT * FROM secret',
    'WITH secret AS MATERIALIZED (TABLE secret) TABLE secret',
    `WITH secret AS (SELECT 1 AS s) SELECT * FROM ${schema}.secret`,
    `WITH a AS (WITH secret AS (SELECT 'x' AS s) SELECT * FROM secret) SELECT * FROM secret`,
    `SELECT * FROM (WITH secret AS (SELECT 'x' AS s) TABLE secret) AS q, secret`,
    `(WITH secret AS (SELECT 'x' AS s) SELECT s FROM secret) UNION ALL SELECT s FROM secret`,
    `WITH RECURSIVE a AS (SELECT s, 1 AS n FROM secret UNION ALL SELECT s, n + 1 FROM a WHERE n < 2) SELECT * FROM a`,
    `WITH "Secret" AS (SELECT 'x' AS s) SELECT * FROM secret`,
    'VALUES ((SELECT s FROM secret))',
    'SELECT * FROM (VALUES ((SELECT s FROM secret))) AS v',
    'SELECT * FROM v_secret',
    'SELECT * FROM leaks()',
    'SELECT leak()',
    `SELECT ${schema}.leak()`,
    `SELECT "leak"()`,
    `SELECT name FROM ${cars} WHERE leak() = '${marker}' AND false UNION SELECT '${marker}'`,
    `SELECT * FROM ROWS FROM (leaks(), generate_series(1, 2)) AS r`,
    `SELECT ${schema}.lower(1)`,
    `SELECT * FROM ${other}.${cars}`,
    `SELECT * FROM ${other}."${cars}"`,
    `SELECT * FROM public.${cars}`,
    `SELECT * FROM lab.${schema}.secret`,
    `SELECT * FROM ${cars} AS c JOIN ${other}.${cars} AS c2 ON true`,
    `SELECT 1; SELECT * FROM secret`,
    `SELECT * FROM secret; SELECT '${marker}'`,
    `SELECT $$;$$; SELECT '${marker}' FROM secret`,
    `SELECT E'\\''; SELECT s /* ' */ FROM secret`,
    `SELECT ';' AS "a;--"; TABLE secret`,
    `EXPLAIN ANALYZE SELECT * FROM secret WHERE s = '${marker}'`,
    `EXPLAIN (VERBOSE, COSTS off) SELECT * FROM secret WHERE s = '${marker}'`,
    `SELECT xmlelement(name a, (SELECT s FROM secret))`,
    `SELECT * FROM XMLTABLE('/a' PASSING (SELECT xmlelement(name a, s) FROM secret) COLUMNS s text PATH '.') AS x`,
    `SELECT coalesce((SELECT s FROM secret), 'x'), greatest((SELECT s FROM secret), '')`,
    `SELECT * FROM ${cars} WHERE name IN (SELECT s FROM secret) OR name = ANY (SELECT s FROM secret) UNION SELECT 0, '${marker}'`,
  ],
  refused: [
    '',
    ';',
    'SELECT * FROM secret WHERE',
    `SELECT * FROM secret\0`,
    `SELECT 1 /* unclosed`,
    `SELECT 'unclosed`,
    `SELECT * FROM sеcret`,
    `SELECT * FROM ${cars}; DROP TABLE ${cars}`,
    `SELECT * INTO copied FROM ${cars}`,
    `SELECT * FROM ${cars} FOR UPDATE`,
    `WITH a AS (DELETE FROM ${cars} RETURNING *) SELECT * FROM a`,
    `EXPLAIN ANALYZE DELETE FROM ${cars}`,
    `INSERT INTO ${cars} SELECT 1, s FROM secret`,
    `CREATE VIEW ${schema}.mine AS SELECT * FROM secret`,
    `CREATE TEMP TABLE mine AS SELECT * FROM secret`,
    `PREPARE p AS SELECT * FROM secret`,
    'EXECUTE p',
    `PREPARE p AS SELECT * FROM secret; EXECUTE p`,
    'DECLARE c CURSOR FOR SELECT * FROM secret',
    'FETCH ALL FROM c',
    `COPY secret TO STDOUT`,
    `COPY (SELECT * FROM secret) TO PROGRAM 'cat'`,
    'DO $$ BEGIN PERFORM 1; END $$',
    'CALL leak()',
    `SET search_path = ${other}`,
    `SET ROLE lab`,
    'RESET ALL',
    'BEGIN',
    'ROLLBACK; SELECT 1',
    'LOCK TABLE secret',
    'LISTEN x',
    'SHOW ALL',
    'SHOW data_directory',
    `SELECT * FROM pg_class`,
    `SELECT * FROM pg_catalog.pg_tables`,
    `SELECT * FROM information_schema.columns`,
    `SELECT most_common_vals FROM pg_stats WHERE tablename = 'secret'`,
    `SELECT query FROM pg_stat_activity`,
    `SELECT * FROM pg_stat_statements`,
    `SELECT * FROM pg_settings`,
    `SELECT * FROM pg_prepared_statements`,
    `SELECT * FROM pg_authid`,
    `SELECT * FROM pg_views`,
    `SELECT query_to_xml('SELECT * FROM secret', true, true, '')`,
    `SELECT pg_catalog.query_to_xml('SELECT * FROM secret', true, true, '')`,
    `SELECT "query_to_xml"('SELECT * FROM secret', true, true, '')`,
    `SELECT U&"query\\005fto_xml"('SELECT * FROM secret', true, true, '')`,
    `SELECT table_to_xml('secret', true, true, '')`,
    `SELECT table_to_xml_and_xmlschema('secret', true, true, '')`,
    `SELECT schema_to_xml('${schema}', true, true, '')`,
    `SELECT database_to_xml(true, true, '')`,
    `SELECT cursor_to_xml('c', 1, true, true, '')`,
    `SELECT * FROM ts_stat('SELECT to_tsvector(s) FROM secret')`,
    `SELECT ts_rewrite('a'::tsquery, 'SELECT s::tsquery, s::tsquery FROM secret')`,
    `SELECT * FROM dblink('dbname=lab', 'SELECT s FROM secret') AS t(s text)`,
    `SELECT * FROM crosstab('SELECT s, s, s FROM secret') AS t(a text, b text)`,
    `SELECT pg_read_file('/etc/passwd')`,
    `SELECT * FROM pg_ls_dir('.')`,
    `SELECT lo_import('/etc/passwd')`,
    `SELECT set_config('search_path', '${other}', false)`,
    `SELECT current_setting('data_directory')`,
    `SELECT pg_sleep(5)`,
    `SELECT nextval('x')`,
    `SELECT 'secret'::regclass::oid`,
    `SELECT i::regclass FROM generate_series(1, 20000) AS i`,
    `SELECT to_regclass('secret')`,
    `SELECT pg_get_viewdef('v_secret')`,
    `SELECT pg_relation_size('secret')`,
    `SELECT pg_get_functiondef('leak'::regproc)`,
    `SELECT has_table_privilege('secret', 'SELECT')`,
    `SELECT obj_description('secret'::regclass)`,
    `SELECT (json_populate_record(null::secret, '{"s": "x"}')).*`,
    `SELECT * FROM json_to_recordset('[{"a": {"s": "x"}}]') AS t(a secret)`,
    `SELECT (null::${schema}.secret).s`,
    `SELECT CAST(null AS secret[])`,
    `SELECT * FROM jsonb_populate_recordset(null::${other}.${cars}, '[]')`,
    `SELECT pg_terminate_backend(1)`,
    `SELECT txid_current_snapshot()`,
    `SELECT * FROM pg_partition_tree('secret')`,
    `SELECT * FROM pg_lock_status()`,
    `SELECT ${'('.repeat(3000)}SELECT s FROM secret${')'.repeat(3000)}`,
    `SELECT * FROM secret -- ${'x'.repeat(1 << 20)}`,
  ],
  open: [
    `SELECT * FROM ${cars}`,
    `SELECT * FROM ${schema}.${cars} AS secret`,
    `WITH secret AS (SELECT * FROM ${cars}) SELECT s.name FROM secret AS s`,
    `WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n`,
    `SELECT 'secret' AS secret FROM ${cars}`,
    `SELECT lower(name), count(*)::numeric(10, 2), date_trunc('day', now()), '{1}'::int[] IS NULL FROM ${cars} GROUP BY name`,
    `SELECT * FROM generate_series(1, 3) AS g(i)`,
    `SELECT name LIKE 'a!_%' ESCAPE '!', position('a' in name), substring(name from 1 for 2), trim(name), extract(year from now()) FROM ${cars}`,
    `SELECT row_number() OVER (PARTITION BY name ORDER BY id), to_char(now(), 'YYYY'), jsonb_build_object('a', 1) ->> 'a' FROM ${cars}`,
    `EXPLAIN SELECT * FROM ${cars}`,
  ],
}

describe.skipIf(!url)('hostile SQL on PostgreSQL', () => {
  let lab: TestLab
  let database_id: number
  let dataset: number
  const { run, expectAllowed, expectReading, expectRefused } = campaign(
    () => lab,
    () => ({ database_id, schema }),
  )
  async function admin(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const sql of statements) await client.query(sql)
    await client.end()
  }
  beforeAll(async () => {
    await admin(
      `CREATE SCHEMA ${schema}`,
      `CREATE SCHEMA ${other}`,
      `CREATE TABLE ${schema}.${cars} (id int, name text)`,
      `INSERT INTO ${schema}.${cars} VALUES (1, 'a'), (2, 'b')`,
      `CREATE TABLE ${schema}.secret (s text)`,
      `INSERT INTO ${schema}.secret VALUES ('${marker}')`,
      ...[other, 'public'].map((place) => `CREATE TABLE ${place}.${cars} AS SELECT 1 AS id, '${marker}' AS name`),
      `CREATE VIEW ${schema}.v_secret AS SELECT * FROM ${schema}.secret`,
      `CREATE FUNCTION ${schema}.leaks() RETURNS SETOF text LANGUAGE sql AS 'SELECT s FROM ${schema}.secret'`,
      `CREATE FUNCTION ${schema}.leak() RETURNS text LANGUAGE sql AS 'SELECT s FROM ${schema}.secret'`,
      `CREATE FUNCTION ${schema}.lower(int) RETURNS text LANGUAGE sql AS 'SELECT s FROM ${schema}.secret'`,
    )
    lab = await startTestLab()
    database_id = await lab.connect({ database_name: 'pg', sqlalchemy_uri: url })
    dataset = await grantTable(lab, database_id, { schema, table: cars })
    await grantSqlLabToAlpha(lab)
  }, 60_000)
  afterAll(async () => {
    await lab.close()
    await admin(`DROP SCHEMA ${schema} CASCADE`, `DROP SCHEMA ${other} CASCADE`, `DROP TABLE public.${cars}`)
  })

  it.each(attempts.reading)('shows nothing without access: %s', expectReading)
  it.each(attempts.refused)('is rejected for users who may read one table: %#', (sql) => expectRefused(sql))
  it.each(attempts.open)('runs for users who may read the table: %s', expectAllowed)

  const expressions = [
    '(WITH a AS (SELECT 1) TABLE secret)',
    `((WITH a AS (SELECT 1) TABLE ${schema}.secret))`,
    `CASE WHEN '${marker}' = ANY (WITH a AS (SELECT 1) TABLE secret) THEN '1' END`,
    'leak()',
    `${schema}.leak()`,
    'U&"l\\0065ak"()',
    `${schema}.lower(1)`,
    'id NULLS FIRST, CAST((WITH a AS (SELECT 1) TABLE secret) AS int)',
  ]
  it.each(expressions)('regression: shows nothing in a chart: %s', (sql) => expectNoLeakInCharts(lab, dataset, sql))
  it.each(['(SELECT max(s) FROM secret)', ...expressions])(
    'regression: shows nothing in the expressions of a dataset: %s',
    (sql) => expectNoLeakInDatasets(lab, dataset, sql),
  )

  it.each([
    'SELECT count(*) AS n FROM pg_shadow',
    'SELECT count(*) AS n FROM "pg_catalog" . "pg_authid"',
    'SELECT count(*) AS n FROM U&"pg\\005fauthid"',
    `SELECT (SELECT count(*) FROM pg_stat_activity) AS n FROM ${cars}`,
    `WITH a AS (TABLE pg_user_mappings) SELECT count(*) AS n FROM a`,
    'SELECT count(*) AS n FROM pg_settings',
    'SELECT count(*) AS n FROM information_schema.role_table_grants',
    `SELECT current_setting('data_directory') AS n`,
    'SHOW ALL',
    'SHOW hba_file',
  ])('regression: is for administrators only: %s', (sql) => expectAdminOnly(lab, { database_id, schema }, sql))
  it('shows rows of such a table through SQL of an administrator', () =>
    expectOpenedByAdmin(lab, { database_id, schema }, ['pg_catalog', 'pg_stat_activity']))

  it('regression: where changes are allowed, programs, accounts and unparsed SQL are for administrators only', async () => {
    const writing = await lab.connect({ database_name: 'writing', sqlalchemy_uri: url, allow_dml: true })
    const change = (sql: string, user: 'admin' | 'alpha') =>
      lab.run(sql, { database_id: writing, schema, client_id: newId() }, user)
    for (const sql of [
      `COPY (SELECT 1) TO PROGRAM 'cat > /dev/null'`,
      `COPY ${cars} FROM '/etc/passwd'`,
      `DO $$ BEGIN EXECUTE 'SELECT 1'; END $$`,
      `CREATE ROLE mine_${process.pid} SUPERUSER`,
      `CREATE FUNCTION ${schema}.mine() RETURNS text LANGUAGE sql AS 'SELECT passwd FROM pg_shadow LIMIT 1'`,
      `CREATE TABLE ${schema}.mine AS SELECT * FROM pg_shadow`,
    ]) {
      const { statusCode, body } = await change(sql, 'alpha')
      expect([statusCode, body], sql).toEqual([403, expect.stringContaining('for administrators only')])
    }
    const made = await change(`CREATE TABLE ${schema}.mine AS SELECT 1 AS id`, 'alpha')
    expect(made.statusCode, made.body).toBe(200)
    expect((await change(`DO $$ BEGIN EXECUTE 'SELECT 1'; END $$`, 'admin')).statusCode).toBe(200)
  })

  it('draws charts with SQL on the granted table, and with the expressions of the dataset', async () => {
    const { db } = lab.server.deps
    await db
      .updateTable('dataset_metric')
      .set({ expression: 'max(leak())' })
      .where('dataset_id', '=', dataset)
      .execute()
    const ask = async (query: object) =>
      lab.server
        .as('sqllab')
        .post('/api/v1/chart/data', { datasource: { id: dataset, type: 'table' }, queries: [query] })
    const column = { sqlExpression: `upper(name) || CASE WHEN id IN (1, 2) THEN 'x' END;`, label: 'x' }
    const own = await ask({ columns: [column], extras: { where: 'id = (SELECT 1) -- one' } })
    expect(own.json<{ result: { data: unknown }[] }>().result[0]?.data).toEqual([{ x: 'Ax' }])
    expect((await ask({ metrics: ['count'] })).body).toContain(marker)
    await db.updateTable('dataset_metric').set({ expression: 'COUNT(*)' }).where('dataset_id', '=', dataset).execute()
  })

  it('runs a user-defined function in a metric only while the user who saved it may read all data', async () => {
    const { db } = lab.server.deps
    const idOf = async (username: string) =>
      (await db.selectFrom('user').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id
    const set = async (expression: string, expressions_by_fk: number | null) => {
      await db.updateTable('dataset_metric').set({ expression }).where('dataset_id', '=', dataset).execute()
      await db.updateTable('dataset').set({ expressions_by_fk }).where('id', '=', dataset).execute()
      lab.server.app.authenticator.forget()
    }
    const ask = async () => {
      const { statusCode, body } = await lab.server.as('sqllab').post('/api/v1/chart/data', {
        datasource: { id: dataset, type: 'table' },
        queries: [{ metrics: ['count'] }],
        force: true,
      })
      return [statusCode, body.includes(marker)]
    }
    const [alpha, admin] = [await idOf('alpha'), await idOf('admin')]
    await set('max(leak())', alpha)
    expect(await ask()).toEqual([200, true])
    const roles = await db.selectFrom('user_role').selectAll().where('user_id', '=', alpha).execute()
    await db.deleteFrom('user_role').where('user_id', '=', alpha).execute()
    await set('max(leak())', alpha)
    expect(await ask()).toEqual([403, false])
    await set('max(leak())', await idOf('sqllab'))
    expect(await ask()).toEqual([403, false])
    await db.insertInto('user_role').values(roles).execute()
    await set('COUNT(*)', admin)
  })

  it('with subqueries allowed, reads only granted tables', async () => {
    const { flags } = lab.server.deps.settings
    flags['ALLOW_ADHOC_SUBQUERY'] = true
    const ask = async (sqlExpression: string) =>
      lab.server.as('sqllab').post('/api/v1/chart/data', {
        datasource: { id: dataset, type: 'table' },
        queries: [{ columns: [{ sqlExpression, label: 'x' }] }],
      })
    const [granted, other] = [await ask(`(SELECT max(name) FROM ${cars})`), await ask('(SELECT max(s) FROM secret)')]
    flags['ALLOW_ADHOC_SUBQUERY'] = false
    expect(granted.statusCode, granted.body).toBe(200)
    expect(other.statusCode).toBe(403)
    expect(other.body).not.toContain(marker)
  })

  it('regression: a grant on a table does not cover the table of that name in the default schema', async () => {
    expect((await run(`SELECT * FROM ${cars}`, 'admin', { schema: null })).body).toContain(marker)
    const { statusCode, body } = await run(`SELECT * FROM ${cars}`, 'sqllab', { schema: null })
    expect(statusCode, body).toBe(403)
    expect((await run(`SELECT * FROM ${cars}`, 'sqllab', { schema: other })).statusCode).toBe(403)
  })
})
