import { cellAt } from '@parquetry/frame'
import { defaultLimits } from '@parquetry/model'
import { engineSuite, writeValues } from '@parquetry/testing/engine-suite'
import { errorCodeOf, firstCell, readAll, withOpenSession } from '@parquetry/testing/sessions'
import { type SampleTable, sampleTables } from '@parquetry/testing/sample-tables'
import { describe, expect, it } from 'vitest'
import type { Session, SessionContext } from '../shared/driver.ts'
import { dialect } from './dialect.ts'
import { trinoDriver } from './driver.ts'
import { trino, type Settings } from './engine.ts'

const url = process.env['PARQUETRY_TEST_TRINO']
const settings = url ? (trino.fromUri(url) as Settings) : null
const schema = `engine_${process.pid}`

const open = (context: Partial<SessionContext> = {}, own: Partial<Settings> = {}): Promise<Session> =>
  trinoDriver.open({ ...settings!, ...own }, { schema, timeoutMs: 30_000, allowDml: false, ...context })

const admin = (...statements: string[]): Promise<void> =>
  withOpenSession(open({ allowDml: true }), async (session) => {
    for (const sql of statements) await readAll(session, sql)
  })

const toTrinoType = (type: string): string => type.replace(/^TEXT$/, 'VARCHAR').replace(/^TIMESTAMP$/, 'TIMESTAMP(6)')

/** The server starts during the tests: it refuses connections, then it has no workers, then it responds. */
async function isUp(): Promise<void> {
  const end = performance.now() + 170_000
  const ping = () => withOpenSession(open({ schema: null }), (session) => session.describe({ what: 'ping' }))
  while (
    !(await ping().then(
      () => true,
      (error: unknown) => performance.now() > end && Promise.reject(error),
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 500))
}

/** A query that returns the rows of a sample table. Trino plans one text of JSON far faster than thousands of values. */
function writeSample({ columns, rows }: SampleTable): string {
  const names = columns.map(({ name }) => `"${name}"`)
  const typed = columns.map(({ type }, index) => `CAST(${names[index]} AS ${toTrinoType(type)}) AS ${names[index]}`)
  const inJson = columns.map(
    ({ type }, index) => `${names[index]} ${type === 'TIMESTAMP' ? 'VARCHAR' : toTrinoType(type)}`,
  )
  const json = JSON.stringify(rows.map((row) => columns.map(({ name }) => row[name] ?? null)))
  return `SELECT ${typed.join(', ')}
    FROM UNNEST(CAST(json_parse(${dialect.literal(json)}) AS ARRAY(ROW(${inJson.join(', ')})))) AS r(${names.join(', ')})`
}

/** The cars are also a view, which takes one task per query. A table takes three, and five times as long as all its rows. */
const viewSchema = `views_${process.pid}`

async function loadSamples(): Promise<void> {
  await isUp()
  await admin(`CREATE SCHEMA ${schema}`, `CREATE SCHEMA ${viewSchema}`)
  const samples = sampleTables()
  for (const [name, sample] of Object.entries(samples)) await admin(`CREATE TABLE ${name} AS ${writeSample(sample)}`)
  await admin(`CREATE VIEW ${viewSchema}.cars AS ${writeSample(samples['cars']!)}`)
}

const dropSamples = () =>
  admin(
    ...Object.keys(sampleTables()).map((name) => `DROP TABLE ${name}`),
    `DROP VIEW ${viewSchema}.cars`,
    `DROP SCHEMA ${schema}`,
    `DROP SCHEMA ${viewSchema}`,
  )

/** Names the columns of a table of TPC-H. Its rows would take a second, since the server writes the texts of all tables first. */
const columnsOf = (table: string) => `SHOW COLUMNS FROM ${table}`

const sequence = (stop: number) => `TABLE(sequence(start => 0, stop => ${stop}))`

describe.skipIf(!settings)('Trino', () => {
  engineSuite({
    dialect,
    schema,
    numbersSchema: viewSchema,
    start: loadSamples,
    stop: dropSamples,
    session: ({ timeoutMs = 30_000 } = {}) => open({ timeoutMs }),
    slow: `SELECT count(*) FROM ${sequence(1_000_000_000_000)}`,
    many: `SELECT sequential_number AS i, 'text ' || CAST(sequential_number AS VARCHAR) AS t FROM ${sequence(199_999)}`,
    // Rows may arrive in another order, so that there are fewer than the smaller limit: the error is found in any order.
    failsLate: `SELECT 1 / (90000 - sequential_number) AS i FROM ${sequence(99_999)}`,
    spelling: {
      rows: writeValues,
      concat: (...parts) => parts.map((part) => `CAST(${part} AS VARCHAR)`).join(' || '),
      long: (length) => `rpad('', ${length}, 'x')`,
    },
    valueTypes: {
      integer: 'BIGINT',
      decimal: 'DECIMAL(38, 10)',
      single: 'REAL',
      double: 'DOUBLE',
      text: 'VARCHAR',
      booleans: { sql: ['true', 'false', 'CAST(NULL AS BOOLEAN)'], declared: 'BOOLEAN' },
      zoned: {
        sql: (utc) => `(TIMESTAMP '${utc} UTC' AT TIME ZONE 'Asia/Tokyo')`,
        declared: 'TIMESTAMP(0) WITH TIME ZONE',
      },
      special: { NaN: 'nan()', Infinity: 'infinity()', '-Infinity': '-infinity()' },
    },
    values: {
      tinyint: { sql: `TINYINT '-128'`, kind: 'number', cell: -128, generic: 0 },
      smallint: { sql: `SMALLINT '-32768'`, kind: 'number', cell: -32_768, generic: 0 },
      integer: { sql: `INTEGER '-2147483648'`, kind: 'number', cell: -2_147_483_648, generic: 0 },
      bigint: { sql: '9007199254740993', kind: 'bigint', cell: 9_007_199_254_740_993n, generic: 0 },
      'the least bigint': { sql: `BIGINT '-9223372036854775808'`, kind: 'bigint', cell: -9_223_372_036_854_775_808n },
      real: { sql: `REAL '0.1'`, kind: 'number', cell: 0.1, generic: 0 },
      double: { sql: `DOUBLE '0.1'`, kind: 'number', cell: 0.1, generic: 0 },
      'a double of seventeen digits': {
        sql: `DOUBLE '0.30000000000000004'`,
        kind: 'number',
        cell: 0.30000000000000004,
      },
      'a large double': { sql: `DOUBLE '1E300'`, kind: 'number', cell: 1e300 },
      'a double beyond 2^53': { sql: `DOUBLE '9007199254740994'`, kind: 'number', cell: 9_007_199_254_740_994 },
      NaN: { sql: 'nan()', kind: 'number', cell: null, text: 'NaN' },
      infinity: { sql: '-infinity()', kind: 'number', cell: null, text: '-Infinity' },
      'decimal(10,2)': {
        sql: `CAST(-12345678.90 AS DECIMAL(10,2))`,
        kind: 'decimal',
        cell: -12_345_678.9,
        text: '-12345678.90',
        generic: 0,
      },
      'decimal(18,3)': { sql: `DECIMAL '999999999999999.999'`, kind: 'decimal', cell: '999999999999999.999' },
      'decimal(38,10)': {
        sql: `DECIMAL '1234567890123456789012345678.0123456789'`,
        kind: 'string',
        cell: '1234567890123456789012345678.0123456789',
        generic: 0,
      },
      boolean: { sql: 'true', kind: 'boolean', cell: true, generic: 3 },
      'padded char': { sql: `CAST('a' AS CHAR(3))`, kind: 'string', cell: 'a  ', generic: 1 },
      date: { sql: `DATE '2020-02-29'`, kind: 'time', cell: Date.UTC(2020, 1, 29), text: '2020-02-29', generic: 2 },
      'a date before Christ': { sql: `DATE '-0043-03-15'`, kind: 'time', cell: -63_517_824_000_000 },
      'a date after 9999': { sql: `DATE '12345-01-02'`, kind: 'time', cell: Date.UTC(12_345, 0, 2) },
      timestamp: {
        sql: `TIMESTAMP '2020-01-02 03:04:05.678901'`,
        kind: 'time',
        cell: Date.UTC(2020, 0, 2, 3, 4, 5) + 678.901,
        text: '2020-01-02T03:04:05.678901',
        generic: 2,
      },
      'a timestamp of picoseconds': {
        sql: `TIMESTAMP '2020-01-02 03:04:05.678901234567'`,
        kind: 'time',
        cell: Date.UTC(2020, 0, 2, 3, 4, 5) + 678.901,
      },
      'a timestamp before 1970': { sql: `TIMESTAMP '1969-12-31 23:59:59.999999'`, kind: 'time', cell: -0.001 },
      'a timestamp with an offset': {
        sql: `TIMESTAMP '2020-01-01 00:00:00 +02:00'`,
        kind: 'time',
        cell: Date.UTC(2019, 11, 31, 22),
        text: '2019-12-31T22:00:00+00:00',
        generic: 2,
      },
      'a timestamp in a zone, in summer': {
        sql: `TIMESTAMP '2020-07-01 12:00:00.5 Europe/Berlin'`,
        kind: 'time',
        cell: Date.UTC(2020, 6, 1, 10) + 500,
      },
      'a timestamp in a zone, just after its clocks changed': {
        sql: `TIMESTAMP '2020-03-29 03:00:00 Europe/Berlin'`,
        kind: 'time',
        cell: Date.UTC(2020, 2, 29, 1),
      },
      'a timestamp in a zone, just before': {
        sql: `TIMESTAMP '2020-03-29 01:59:59 Europe/Berlin'`,
        kind: 'time',
        cell: Date.UTC(2020, 2, 29, 0, 59, 59),
      },
      time: { sql: `TIME '23:59:59.5'`, kind: 'string', cell: '23:59:59.500000', generic: 1 },
      'a time of whole seconds': { sql: `CAST(TIME '23:59:59' AS TIME(6))`, kind: 'string', cell: '23:59:59' },
      'time with a zone': { sql: `TIME '10:00:00-03:30'`, kind: 'string', cell: '10:00:00-03:30' },
      'interval of days': { sql: `INTERVAL '1' DAY + INTERVAL '2' HOUR`, kind: 'string', cell: '1 days 02:00:00' },
      'a negative interval': {
        sql: `INTERVAL '-3 04:05:06.700' DAY TO SECOND`,
        kind: 'string',
        cell: '-3 days -04:05:06.700000',
      },
      'interval of months': { sql: `INTERVAL '14' MONTH`, kind: 'string', cell: '1 years 2 months 0 days 00:00:00' },
      uuid: {
        sql: `UUID 'f0000000-0000-0000-0000-00000000000f'`,
        kind: 'string',
        cell: 'f0000000-0000-0000-0000-00000000000f',
      },
      ipaddress: { sql: `IPADDRESS '10.0.0.1'`, kind: 'string', cell: '10.0.0.1' },
      varbinary: { sql: `X'00ff'`, kind: 'string', cell: 'AP8=' },
      json: { sql: `JSON '{"a": [1]}'`, kind: 'json', cell: '{"a":[1]}' },
      array: { sql: 'ARRAY[1, NULL, 3]', kind: 'json', cell: '[1, null, 3]', generic: 1 },
      'array of large numbers': {
        sql: `ARRAY[BIGINT '9007199254740993', NULL]`,
        kind: 'json',
        cell: '[9007199254740993, null]',
      },
      'array of decimals': {
        sql: 'ARRAY[1.50, 12345678901234567890.12]',
        kind: 'json',
        cell: '[1.50, 12345678901234567890.12]',
      },
      'array of doubles': { sql: 'ARRAY[1.5E0, nan()]', kind: 'json', cell: '[1.5, "NaN"]' },
      'array of texts': {
        sql: `ARRAY['it''s "so"', 'NULL', NULL]`,
        kind: 'json',
        cell: `["it's \\"so\\"", "NULL", null]`,
      },
      'an empty array': { sql: 'CAST(ARRAY[] AS ARRAY(INTEGER))', kind: 'json', cell: '[]' },
      map: { sql: `MAP(ARRAY['a', '__proto__'], ARRAY[1, 2])`, kind: 'json', cell: '{"a": 1, "__proto__": 2}' },
      'a row with names': {
        sql: `CAST(ROW(1, ROW('x', DATE '2020-01-01')) AS ROW("a b" BIGINT, c ROW(d VARCHAR, e DATE)))`,
        kind: 'json',
        cell: '{"a b": 1, "c": {"d": "x", "e": "2020-01-01"}}',
      },
      'a row without names': { sql: `ROW(1, true)`, kind: 'json', cell: '[1, true]' },
    },
  })
  describe('a read-only session', () => {
    it.each([
      ['CREATE TABLE t (a int)', 'dml_not_allowed'],
      ['CREATE TABLE t AS SELECT 1 AS a', 'dml_not_allowed'],
      ['INSERT INTO stocks (symbol) VALUES (NULL)', 'dml_not_allowed'],
      ['DROP TABLE stocks', 'dml_not_allowed'],
      ['COMMENT ON TABLE stocks IS NULL', 'dml_not_allowed'],
      [`EXECUTE IMMEDIATE 'DROP TABLE stocks'`, 'dml_not_allowed'],
      ['EXPLAIN ANALYZE INSERT INTO stocks (symbol) VALUES (NULL)', 'dml_not_allowed'],
      [`CALL system.runtime.kill_query(query_id => 'x', message => 'y')`, 'query_failed'],
      ['COMMIT', 'sql_not_allowed'],
      ['ROLLBACK', 'sql_not_allowed'],
    ])('%s fails with %s', async (sql, expected) => {
      await withOpenSession(open(), (session) =>
        expect(readAll(session, sql).catch(errorCodeOf)).resolves.toBe(expected),
      )
    })

    it('stays read-only after its transaction failed or ended', async () => {
      await withOpenSession(open(), async (session) => {
        for (const sql of ['SELECT nope', 'DROP TABLE stocks', 'COMMIT'])
          await expect(readAll(session, sql).catch(errorCodeOf)).resolves.toMatch(/column_missing|_not_allowed/)
        await expect(readAll(session, 'DROP TABLE stocks').catch(errorCodeOf)).resolves.toBe('dml_not_allowed')
        expect((await readAll(session, 'SELECT 1 AS n')).frame.rows).toBe(1)
      })
    })
  })

  it('writes when DML is allowed, and reads a change to its end regardless of the limit', async () => {
    await withOpenSession(open({ allowDml: true }), async (session) => {
      await readAll(session, 'CREATE TABLE written AS SELECT 1 AS a', { limits: { rows: 0 } })
      await readAll(session, 'INSERT INTO written VALUES (2), (3)', { limits: { rows: 0 } })
    })
    await withOpenSession(open(), async (session) =>
      expect((await readAll(session, 'SELECT * FROM written')).frame.rows).toBe(3),
    )
    await admin('DROP TABLE written')
  })

  it('applies USE, SET SESSION and PREPARE to later statements of the same session only', async () => {
    await withOpenSession(open({ allowDml: true }), async (session) => {
      await readAll(session, 'USE tpch.tiny')
      expect(await firstCell(session, columnsOf('nation'))).toBe('nationkey')
      await readAll(session, `SET SESSION query_max_run_time = '1d'`)
      await readAll(session, `SET SESSION join_distribution_type = 'BROADCAST'`)
      expect(await firstCell(session, `SHOW SESSION LIKE 'join_distribution_type'`)).toBe('join_distribution_type')
      await readAll(session, `PREPARE mine FROM SELECT 'a,=b' || ?`)
      expect(await firstCell(session, `EXECUTE mine USING 'ü'`)).toBe('a,=bü')
    })
    await withOpenSession(open(), (session) =>
      expect(readAll(session, columnsOf('nation')).catch(errorCodeOf)).resolves.toBe('table_missing'),
    )
  })

  it('prefers catalog and schema of the query over those of the connection', async () => {
    const ofQuestion = open({ catalog: 'tpch', schema: 'tiny' })
    await withOpenSession(ofQuestion, async (session) =>
      expect(await firstCell(session, columnsOf('region'))).toBe('regionkey'),
    )
    await withOpenSession(open({ schema: null }, { catalog: 'tpch', schema: 'tiny' }), async (session) => {
      expect(await firstCell(session, columnsOf('region'))).toBe('regionkey')
      expect(await session.describe({ what: 'tables', schema: null })).toMatchObject({
        tables: expect.arrayContaining([{ name: 'region', type: 'table' }]),
      })
    })
  })

  it('stops a statement at its time limit', async () => {
    await withOpenSession(open({ timeoutMs: 300 }), (session) =>
      expect(readAll(session, `SELECT count(*) FROM ${sequence(1_000_000_000_000)}`).catch(errorCodeOf)).resolves.toBe(
        'query_timeout',
      ),
    )
  })

  describe('leaves nothing running', () => {
    /** States of the statements that contain a text, except this query. */
    const statesOf = (mark: string) =>
      withOpenSession(open({ allowDml: true }), async (session) => {
        const asked = `SELECT state FROM system.runtime.queries WHERE query LIKE '%${mark}%' AND query NOT LIKE '%runtime%'`
        const { frame } = await readAll(session, asked)
        return Array.from({ length: frame.rows }, (_, row) => cellAt(frame.columns[0]!, row))
      })
    const endedWithin5s = (mark: string) =>
      expect.poll(() => statesOf(mark), { timeout: 5000, interval: 200 }).toEqual(['FAILED'])
    const hasBegun = (mark: string) =>
      expect.poll(() => statesOf(mark), { timeout: 5000 }).toEqual([expect.stringMatching(/STARTING|RUNNING/)])
    const slow = (mark: string) => `SELECT count(*) AS ${mark} FROM ${sequence(1_000_000_000_000)}`

    it('after a cancel', async () => {
      const mark = `cancelled_${process.pid}`
      await withOpenSession(open(), async (session) => {
        const running = readAll(session, slow(mark)).catch(errorCodeOf)
        await hasBegun(mark)
        await session.cancel()
        expect(await running).toBe('query_stopped')
      })
      await endedWithin5s(mark)
    })

    it('after the reader stops between pages', async () => {
      const mark = `abandoned_${process.pid}`
      await withOpenSession(open(), async (session) => {
        const text = `SELECT sequential_number AS ${mark} FROM ${sequence(1_000_000_000_000)}`
        for await (const _ of session.run({ name: 'test', text, values: [] }, defaultLimits)) break
      })
      await endedWithin5s(mark)
    })

    it('after the session is closed during a statement', async () => {
      const mark = `closed_${process.pid}`
      const session = await open()
      const running = readAll(session, slow(mark)).catch(errorCodeOf)
      await hasBegun(mark)
      await session.close()
      expect(await running).toBe('query_stopped')
      await endedWithin5s(mark)
    })

    it('including transactions', async () => {
      const since = await withOpenSession(open(), async (session) => {
        const now = await firstCell(session, 'SELECT CAST(now() AS VARCHAR)')
        await readAll(session, 'SELECT nope').catch(errorCodeOf)
        await readAll(session, 'SELECT 1')
        return String(now)
      })
      const counted = `SELECT count(*) FROM system.runtime.transactions
        WHERE NOT auto_commit_context AND create_time >= CAST('${since}' AS TIMESTAMP WITH TIME ZONE)`
      await expect
        .poll(() => withOpenSession(open({ allowDml: true }), (session) => firstCell(session, counted)), {
          timeout: 5000,
        })
        .toBe(0)
    })
  })

  it('describes tables, views, catalogs, functions and cost', async () => {
    await admin(
      `CREATE TABLE described (id BIGINT COMMENT 'the key', "Odd name" DECIMAL(10,2), t TIMESTAMP(3) WITH TIME ZONE)
       COMMENT 'the table'`,
      `CREATE VIEW seen AS SELECT id FROM described`,
    )
    try {
      await withOpenSession(open(), async (session) => {
        expect(await session.describe({ what: 'table', schema, table: 'described' })).toMatchObject({
          comment: 'the table',
          columns: [
            { name: 'id', type: 'BIGINT', generic: 0, comment: 'the key', nullable: true },
            { name: 'odd name', type: 'DECIMAL(10,2)', generic: 0, comment: null },
            { name: 't', type: 'TIMESTAMP(3) WITH TIME ZONE', generic: 2 },
          ],
          keys: [],
        })
        expect(await session.describe({ what: 'table', schema, table: 'seen' })).toMatchObject({
          view: expect.stringContaining('described'),
        })
        expect(await session.describe({ what: 'tables', schema })).toMatchObject({
          tables: expect.arrayContaining([{ name: 'seen', type: 'view' }]),
        })
        expect(await session.describe({ what: 'catalogs' })).toEqual({
          what: 'catalogs',
          catalogs: expect.arrayContaining(['memory', 'tpch']),
        })
        const functions = await session.describe({ what: 'functions' })
        expect(functions).toMatchObject({ names: expect.arrayContaining(['abs', 'date_trunc']) })
        const sql = 'SELECT * FROM tpch.sf1.orders; -- dear'
        expect(await session.describe({ what: 'estimate', sql })).toEqual({
          what: 'estimate',
          cost: {
            'Output count': '1 M rows',
            'Output size': '157 MB',
            'CPU cost': '157 M',
            'Max memory': '0 B',
            'Network cost': '0',
          },
        })
        await expect(session.describe({ what: 'estimate', sql: 'SELECT 1\nFROM nope' })).rejects.toMatchObject({
          code: 'table_missing',
          message: expect.stringMatching(/^line 2:6/),
          details: { line: 2, column: 6 },
        })
      })
      await withOpenSession(open({ catalog: 'tpch' }), async (session) => {
        const nation = await session.describe({ what: 'table', schema: 'tiny', table: 'nation' })
        expect(nation).toMatchObject({ rows: 25 })
      })
    } finally {
      await admin('DROP VIEW seen', 'DROP TABLE described')
    }
  })

  it('returns the columns of a query that ends with a semicolon and a comment, without running it', async () => {
    await withOpenSession(open(), async (session) => {
      const sql = `WITH a AS (SELECT count(*) AS n, DATE '2020-01-01' AS d FROM ${sequence(1_000_000_000_000)}) SELECT * FROM a; -- end`
      expect(await session.describe({ what: 'columns', sql })).toMatchObject({
        columns: [
          { name: 'n', type: 'BIGINT', generic: 0 },
          { name: 'd', type: 'DATE', generic: 2 },
        ],
      })
    })
  })

  it.each([
    [{ catalog: 'nobody' }, 'connection_database'],
    [{ username: '' }, 'connection_missing'],
    [{ port: 1 }, 'connection_failed'],
    [{ host: 'nobody.invalid' }, 'connection_hostname'],
    [{ password: 'secret', encryption: false }, 'connection_failed'],
    [{ encryption: true }, 'connection_failed'],
  ])('reports connection problems: %j fails with %s', async (wrong, expected) => {
    const asking = withOpenSession(open({ timeoutMs: 5000 }, wrong), (session) => session.describe({ what: 'ping' }))
    await expect(asking.catch(errorCodeOf)).resolves.toBe(expected)
  })
})
