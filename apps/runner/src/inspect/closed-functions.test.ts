import { AppError } from '@parquetry/model'
import { guardNetwork } from '@parquetry/sql'
import { describe, expect, it } from 'vitest'
import { inspectSql } from '../inspect-sql.ts'

const noDuckdbParser = () => Promise.reject(new Error('no text of this engine is read by DuckDB'))

async function verdict(sql: string, engine: string): Promise<string> {
  try {
    guardNetwork(await inspectSql(sql, engine, noDuckdbParser), engine, false)
    return 'passes'
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code
  }
}

/** Attacks that a user of a shared server might try. */
const attempts: Record<string, Record<string, string[]>> = {
  clickhouse: {
    'read files and other servers': [
      `SELECT * FROM url('http://inner', CSV)`,
      `SELECT 1 WHERE 'a' IN url('http://inner')`,
      `SELECT 1 WHERE 'a' GLOBAL IN remote('inner', system.one)`,
      `SELECT FILE('users.xml')`,
      "SELECT * FROM `file`('users.xml')",
      `SELECT * FROM "remote"/**/('inner')`,
      `SELECT * FROM cars, s3('http://inner')`,
      `SELECT * FROM cars JOIN mysql('inner', 'b', 'c', 'd', 'e') USING x`,
      `WITH (SELECT * FROM url('http://inner')) AS x SELECT x`,
      `SELECT * FROM cars WHERE a IN (SELECT * FROM file('users.xml'))`,
      `EXPLAIN SELECT * FROM url('http://inner')`,
      `DESCRIBE TABLE url('http://inner')`,
      `DESCRIBE s3('http://inner')`,
      `SELECT hasColumnInTable('inner', 'user', 'password', 'd', 't', 'c')`,
      `INSERT INTO FUNCTION url('http://inner') SELECT 1`,
      `SELECT 1 INTO OUTFILE 'x'`,
      `SELECT * FROM made_up_later('x')`,
    ],
    'call a function by its bare name': [
      `SELECT * APPLY file FROM (SELECT 'users.xml')`,
      `SELECT * APPLY(file) FROM (SELECT 'users.xml')`,
      "SELECT COLUMNS('a') APPLY (`file`) FROM cars",
      `SELECT * APPLY(x -> file(x)) FROM (SELECT 'users.xml')`,
    ],
    'read tables that are not named': [
      `SELECT * FROM merge('.*')`,
      `SELECT * FROM loop(secret)`,
      `SELECT * FROM view(SELECT * FROM secret)`,
      `SELECT * FROM eval('SELECT * FROM secret')`,
      `SELECT * FROM dictionary('secret')`,
      `SELECT dictGet('secret', 'a', 1)`,
      `SELECT joinGetOrNull('secret', 'a', 1)`,
      `SELECT * FROM {t:Identifier} SETTINGS param_t = 'secret'`,
      `SELECT * FROM a_view_with_parameters(a = 1)`,
    ],
    'ask the server about itself, or let it wait': [
      `SELECT getSetting('x')`,
      `SELECT hostName(), FQDN()`,
      `SELECT sleep(3)`,
      `SELECT sleepEachRow(1) FROM numbers(1000)`,
      `SELECT aiGenerate('x')`,
      `SELECT generateSerialID('x')`,
    ],
    'change something': [
      'SYSTEM SHUTDOWN',
      'KILL QUERY WHERE 1',
      'SET readonly = 0',
      `BACKUP TABLE cars TO File('x')`,
      'WATCH cars',
      'SELECT 1; DROP TABLE cars',
      'ALTER TABLE cars DELETE WHERE 1',
    ],
  },
  trino: {
    'send a text to another database': [
      `SELECT * FROM TABLE(pg.system.query(query => 'DELETE FROM x'))`,
      `SELECT * FROM TABLE(pg.system."query"(query => 'DELETE FROM x'))`,
      `SELECT * FROM cars, TABLE(es.system.raw_query(schema => 'a', index => 'b', query => 'c'))`,
      `SELECT * FROM cars WHERE x IN (SELECT * FROM TABLE(pg.system.query(query => 'x')))`,
      `EXPLAIN SELECT * FROM TABLE(pg.system.query(query => 'x'))`,
      `SELECT * FROM TABLE(gs.system.sheet(id => 'x'))`,
      `SELECT * FROM TABLE(made_up.system.later(a => 1))`,
      `SELECT ai.ai.ai_gen('x')`,
    ],
    'run what is hidden in a text': [
      `EXECUTE IMMEDIATE 'DROP TABLE cars'`,
      'PREPARE p FROM DROP TABLE cars',
      'EXECUTE p',
      'SELECT 1; DROP TABLE cars',
    ],
    'change something': [
      `CALL system.runtime.kill_query(query_id => 'x')`,
      `SET SESSION query_max_run_time = '1d'`,
      'SET ROLE admin',
      'USE a.b',
      'ANALYZE cars',
      'COMMIT',
      'EXPLAIN ANALYZE DELETE FROM cars',
    ],
  },
}

const ordinary: Record<string, string[]> = {
  clickhouse: [
    'SELECT * FROM numbers(3)',
    'SELECT * FROM cars FINAL PREWHERE x = 1 LIMIT 2 BY a LIMIT 10 SETTINGS max_threads = 1',
    'SELECT arrayMap(x -> x + 1, [1, 2]), quantile(0.5)(y), URLHash(z), * APPLY(sum) FROM cars ARRAY JOIN b AS c',
    `SELECT x FROM cars WHERE match(y, '\\\\d+') -- numbers`,
    'SHOW TABLES',
    'EXPLAIN SELECT 1',
  ],
  trino: [
    'SELECT * FROM TABLE(sequence(start => 0, stop => 3))',
    'SELECT * FROM TABLE(exclude_columns(input => TABLE(tpch.tiny.orders), columns => DESCRIPTOR(clerk)))',
    'SELECT * FROM UNNEST(ARRAY[1, 2]) WITH ORDINALITY AS t(a, b) OFFSET 1 LIMIT 1',
    'SELECT "$path" FROM "cars$partitions" FOR VERSION AS OF 3',
    'SHOW STATS FOR cars',
    'EXPLAIN (TYPE IO) SELECT 1',
  ],
}

describe.each(Object.keys(attempts))('SQL for %s', (engine) => {
  describe.each(Object.entries(attempts[engine]!))('cannot %s', (_, texts) => {
    it.each(texts)('%s', async (sql) => {
      expect(await verdict(sql, engine)).toMatch(/^(sql_not_allowed|dml_not_allowed|syntax_error)$/)
    })
  })

  it.each(ordinary[engine]!)('may compute: %s', async (sql) => expect(await verdict(sql, engine)).toBe('passes'))
})
