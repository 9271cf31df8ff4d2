import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { textAt } from '@parquetry/frame'
import { defaultLimits } from '@parquetry/model'
import { engineSuite, writeValues } from '@parquetry/testing/engine-suite'
import { errorCodeOf, firstRow, readAll, withOpenSession } from '@parquetry/testing/sessions'
import { sampleTables } from '@parquetry/testing/sample-tables'
import { countFound } from '@parquetry/testing/value-suite'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Session, SessionContext } from '../shared/driver.ts'
import { dialect } from './dialect.ts'
import { postgresDriver } from './driver.ts'
import { postgres, type Settings } from './engine.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const settings = url ? (postgres.fromUri(url) as Settings) : null
const schema = `engine_${process.pid}`

const open = (context: Partial<SessionContext> = {}, own: Partial<Settings> = {}): Promise<Session> =>
  postgresDriver.open({ ...settings!, ...own }, { schema, timeoutMs: 30_000, allowDml: false, ...context })

async function admin(...statements: [sql: string, values?: unknown[]][]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const [sql, values] of statements) await client.query(sql, values)
  await client.end()
}

async function loadSamples(): Promise<void> {
  await admin([`CREATE SCHEMA ${schema}`])
  for (const [name, { columns, rows }] of Object.entries(sampleTables())) {
    const table = `${schema}.${name}`
    await admin(
      [`CREATE TABLE ${table} (${columns.map((column) => `"${column.name}" ${column.type}`).join(', ')})`],
      [`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [JSON.stringify(rows)]],
    )
  }
}

describe.skipIf(!settings)('PostgreSQL', () => {
  engineSuite({
    dialect,
    schema,
    start: loadSamples,
    stop: () => admin([`DROP SCHEMA ${schema} CASCADE`]),
    session: ({ timeoutMs = 30_000 } = {}) => open({ timeoutMs }),
    slow: 'SELECT pg_sleep(20)',
    many: "SELECT i, 'text ' || i AS t FROM generate_series(0, 199999) AS i",
    failsLate: 'SELECT 1 / (90000 - i) AS i FROM generate_series(0, 199999) AS i',
    spelling: { rows: writeValues },
    valueTypes: {
      integer: 'BIGINT',
      decimal: 'NUMERIC(38, 10)',
      single: 'REAL',
      double: 'DOUBLE PRECISION',
      text: 'TEXT',
      booleans: { sql: ['true', 'false', 'NULL::boolean'], declared: 'BOOLEAN' },
      zoned: {
        sql: (utc) => `CAST('${utc}+00' AS TIMESTAMPTZ)`,
        declared: 'TIMESTAMP WITH TIME ZONE',
      },
      special: {
        NaN: "CAST('NaN' AS DOUBLE PRECISION)",
        Infinity: "CAST('Infinity' AS DOUBLE PRECISION)",
        '-Infinity': "CAST('-Infinity' AS DOUBLE PRECISION)",
      },
    },
    values: {
      smallint: { sql: '(-32768)::smallint', kind: 'number', cell: -32_768, generic: 0 },
      integer: { sql: '(-2147483648)::integer', kind: 'number', cell: -2_147_483_648, generic: 0 },
      bigint: { sql: '9007199254740993', kind: 'bigint', cell: 9_007_199_254_740_993n, generic: 0 },
      'the least bigint': { sql: '(-9223372036854775808)::bigint', kind: 'bigint', cell: -9_223_372_036_854_775_808n },
      real: { sql: '0.1::real', kind: 'number', cell: 0.1 },
      'double precision': { sql: '0.1::float8', kind: 'number', cell: 0.1, generic: 0 },
      NaN: { sql: `'NaN'::float8`, kind: 'number', cell: null, text: 'NaN' },
      infinity: { sql: `'-Infinity'::float8`, kind: 'number', cell: null, text: '-Infinity' },
      'numeric(10,2)': {
        sql: '(-12345678.90)::numeric(10,2)',
        kind: 'decimal',
        cell: -12_345_678.9,
        text: '-12345678.90',
        generic: 0,
        caseType: 'numeric(10,2)',
      },
      'numeric(18,3)': {
        sql: '999999999999999.999::numeric(18,3)',
        kind: 'decimal',
        cell: '999999999999999.999',
        caseType: 'numeric(18,3)',
      },
      'numeric(10,2) that is none': {
        sql: `'NaN'::numeric(10,2)`,
        kind: 'decimal',
        cell: null,
        caseType: 'numeric(10,2)',
      },
      'numeric that is none': { sql: `'NaN'::numeric`, kind: 'string', cell: 'NaN', generic: 0 },
      'numeric that is infinite': { sql: `'-Infinity'::numeric`, kind: 'string', cell: '-Infinity' },
      'numeric(38,10)': {
        sql: '1234567890123456789012345678.0123456789::numeric(38,10)',
        kind: 'string',
        cell: '1234567890123456789012345678.0123456789',
        generic: 0,
      },
      'numeric without a size': { sql: '81.0000000000000000', kind: 'string', cell: '81.0000000000000000', generic: 0 },
      boolean: { sql: 'true', kind: 'boolean', cell: true, generic: 3 },
      date: { sql: `DATE '2020-02-29'`, kind: 'time', cell: Date.UTC(2020, 1, 29), text: '2020-02-29', generic: 2 },
      'a date before Christ': { sql: `DATE '0044-03-15 BC'`, kind: 'time', cell: -63_517_824_000_000 },
      'a date after 9999': { sql: `DATE '12345-01-02'`, kind: 'time', cell: Date.UTC(12_345, 0, 2) },
      'an infinite date': { sql: `DATE '-infinity'`, kind: 'time', cell: null },
      timestamp: {
        sql: `TIMESTAMP '2020-01-02 03:04:05.678901'`,
        kind: 'time',
        cell: Date.UTC(2020, 0, 2, 3, 4, 5) + 678.901,
        text: '2020-01-02T03:04:05.678901',
        generic: 2,
      },
      'a timestamp before 1970': { sql: `TIMESTAMP '1969-12-31 23:59:59.999999'`, kind: 'time', cell: -0.001 },
      'an infinite timestamp': { sql: `TIMESTAMP 'infinity'`, kind: 'time', cell: null },
      timestamptz: {
        sql: `TIMESTAMPTZ '2020-01-01 00:00:00+02'`,
        kind: 'time',
        cell: Date.UTC(2019, 11, 31, 22),
        text: '2019-12-31T22:00:00+00:00',
      },
      time: { sql: `TIME '23:59:59.5'`, kind: 'string', cell: '23:59:59.500000', generic: 1 },
      timetz: { sql: `TIMETZ '10:00:00-03:30'`, kind: 'string', cell: '10:00:00-03:30' },
      interval: { sql: `INTERVAL '1 day 2 hours'`, kind: 'string', cell: '1 days 02:00:00' },
      'a negative interval': {
        sql: `INTERVAL '-14 months -3 days -4.5 seconds'`,
        kind: 'string',
        cell: '-1 years -2 months -3 days -00:00:04.500000',
      },
      uuid: {
        sql: `'f0000000-0000-0000-0000-00000000000f'::uuid`,
        kind: 'string',
        cell: 'f0000000-0000-0000-0000-00000000000f',
      },
      bytea: { sql: `'\\x00ff'::bytea`, kind: 'string', cell: 'AP8=' },
      json: { sql: `'{"a": [1]}'::json`, kind: 'json', cell: '{"a": [1]}' },
      jsonb: { sql: `'{"a":[1]}'::jsonb`, kind: 'json', cell: '{"a": [1]}' },
      'integer[]': { sql: 'ARRAY[1, NULL, 3]', kind: 'json', cell: '[1, null, 3]' },
      'integer[][]': { sql: 'ARRAY[[1, 2], [3, 4]]', kind: 'json', cell: '[[1, 2], [3, 4]]' },
      'an empty array': { sql: `'{}'::integer[]`, kind: 'json', cell: '[]' },
      'an array with bounds': { sql: `'[0:1]={1,2}'::integer[]`, kind: 'json', cell: '[1, 2]' },
      'text[]': {
        sql: `ARRAY['it''s "so"', 'NULL', NULL, 'a,b}', 'c\\d']`,
        kind: 'json',
        cell: `["it's \\"so\\"", "NULL", null, "a,b}", "c\\\\d"]`,
      },
      'boolean[]': { sql: 'ARRAY[true, false]', kind: 'json', cell: '[true, false]' },
      'float8[]': { sql: `ARRAY[1.5, 'NaN']::float8[]`, kind: 'json', cell: '[1.5, "NaN"]' },
      inet: { sql: `'10.0.0.1'::inet`, kind: 'string', cell: '10.0.0.1' },
    },
  })

  describe('a read-only session', () => {
    it.each([
      ['CREATE TABLE t (a int)', 'dml_not_allowed'],
      ['DELETE FROM cars', 'dml_not_allowed'],
      ['WITH d AS (DELETE FROM cars RETURNING *) SELECT * FROM d', 'dml_not_allowed'],
      [`SELECT set_config('transaction_read_only', 'off', false)`, 'query_failed'],
      ['COMMIT', 'sql_not_allowed'],
      ['ROLLBACK', 'sql_not_allowed'],
    ])('%s fails with %s', async (sql, expected) => {
      await withOpenSession(open(), (session) =>
        expect(readAll(session, sql).catch(errorCodeOf)).resolves.toBe(expected),
      )
    })

    it('stays read-only when a statement changes its default', async () => {
      await withOpenSession(open(), async (session) => {
        await readAll(session, `SELECT set_config('default_transaction_read_only', 'off', false)`)
        await expect(readAll(session, 'DELETE FROM cars').catch(errorCodeOf)).resolves.toBe('dml_not_allowed')
      })
    })
  })

  it('writes when DML is allowed, and commits each statement separately', async () => {
    await withOpenSession(open({ allowDml: true }), async (session) => {
      await readAll(session, 'CREATE TABLE written (a int)')
      await readAll(session, 'INSERT INTO written VALUES (1)')
      await readAll(session, 'SELECT nope').catch(() => {})
    })
    await withOpenSession(open(), async (session) =>
      expect((await readAll(session, 'SELECT * FROM written')).frame.rows).toBe(1),
    )
    await admin([`DROP TABLE ${schema}.written`])
  })

  it('leaves nothing behind for the next session on the same connection', async () => {
    const pid = (session: Session) =>
      readAll(session, 'SELECT pg_backend_pid() AS pid').then(({ frame }) => frame.columns[0])
    const before = await withOpenSession(open({ allowDml: true }), async (session) => {
      await readAll(session, 'CREATE TEMP TABLE mine (a int)')
      await readAll(session, `SET application_name = 'mine'`)
      await readAll(session, 'SET search_path = pg_catalog')
      await readAll(session, 'PREPARE mine AS SELECT 1')
      await readAll(session, 'SELECT pg_advisory_lock(4711)')
      await readAll(session, 'BEGIN')
      return pid(session)
    })
    await withOpenSession(open(), async (session) => {
      expect(await pid(session)).toEqual(before)
      expect(await firstRow(session, `SELECT current_setting('application_name') || current_schema() AS x`)).toEqual([
        `Parquetry${schema}`,
      ])
      const left = `SELECT (SELECT count(*) FROM pg_prepared_statements) + (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS n`
      expect((await readAll(session, left)).frame.columns[0]).toMatchObject({ data: BigInt64Array.of(0n) })
      await expect(readAll(session, 'SELECT * FROM mine').catch(errorCodeOf)).resolves.toBe('table_missing')
    })
  })

  it('stops a statement at its time limit', async () => {
    await withOpenSession(open({ timeoutMs: 200 }), (session) =>
      expect(readAll(session, 'SELECT pg_sleep(10)').catch(errorCodeOf)).resolves.toBe('query_timeout'),
    )
  })

  it('C079: shows values of its own types as their texts', async () => {
    const texts = await withOpenSession(open(), async (session) => {
      const { frame } = await readAll(
        session,
        `SELECT tstzrange('2023-03-04 05:06:07.5+00', NULL) AS r, ARRAY[int4range(1,5)] AS ra,
          interval '1 day 02:03:04.5' AS iv, '12.34'::money AS mo, '10:00+02'::timetz AS tz, '10.0.0.1/24'::inet AS ip,
          '{"b":1,"a":[null]}'::jsonb AS j, ARRAY['x,y','"q"',NULL] AS ta, '\\xDEAD'::bytea AS by,
          'infinity'::timestamp AS inf, '0044-03-15 BC'::date AS bc, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid AS u,
          B'101' AS bit, point(1,2) AS pt, tsvector 'a b' AS ts`,
      )
      return Object.fromEntries(frame.columns.map((column) => [column.name, textAt(column, 0)]))
    })
    expect(texts).toEqual({
      r: '["2023-03-04 05:06:07.5+00",)',
      ra: '{"[1,5)"}',
      iv: '1 days 02:03:04.500000',
      mo: '$12.34',
      tz: '10:00:00+02:00',
      ip: '10.0.0.1/24',
      j: '{"a": [null], "b": 1}',
      ta: '["x,y", "\\"q\\"", null]',
      by: '3q0=',
      inf: null,
      bc: '-0043-03-15',
      u: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      bit: '101',
      pt: '(1,2)',
      ts: "'a' 'b'",
    })
  })

  it('C079: searches and finds values of its own types', async () => {
    await admin([`CREATE TYPE ${schema}.mood AS ENUM ('happy', 'sad')`])
    const values = {
      MOOD: [`'happy'::${schema}.mood`, 'happy'],
      UUID: [`'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid`, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
      INET: [`'10.0.0.1/24'::inet`, '10.0.0.1/24'],
      JSONB: [`'{"a": "happy"}'::jsonb`, '{"a": "happy"}'],
      'TEXT[]': [`ARRAY['happy']`, '{happy}'],
      INTERVAL: [`interval '1 day 02:00:00'`, '1 days 02:00:00'],
    } as const
    await withOpenSession(open(), async (session) => {
      for (const [type, [sql, text]] of Object.entries(values)) {
        const column = { sql: `SELECT ${sql} AS v`, type, type_generic: 1 } as const
        const part = type === 'INTERVAL' ? '%02:00%' : `%${text.slice(1, 5).toUpperCase()}%`
        expect([type, await countFound(session, dialect, column, { op: 'ILIKE', val: part })]).toEqual([type, 1])
        expect([type, await countFound(session, dialect, column, { op: '==', val: text })]).toEqual([type, 1])
      }
    })
  })

  it("describes keys, comments and types in the API's spelling", async () => {
    await admin(
      [`CREATE TABLE ${schema}.parent (a int, b text, PRIMARY KEY (b, a))`],
      [
        `CREATE TABLE ${schema}.child (id bigint PRIMARY KEY, x int, y varchar(20) UNIQUE NOT NULL, n numeric(10,2), t timestamptz,
           c char(3), l int[], FOREIGN KEY (y, x) REFERENCES ${schema}.parent (b, a))`,
      ],
      [`CREATE INDEX child_n ON ${schema}.child (n, t)`],
      [`COMMENT ON TABLE ${schema}.child IS 'the child'`],
      [`COMMENT ON COLUMN ${schema}.child.y IS 'why'`],
    )
    try {
      const described = await withOpenSession(open(), (session) =>
        session.describe({ what: 'table', schema, table: 'child' }),
      )
      expect(described).toMatchObject({
        comment: 'the child',
        columns: [
          { name: 'id', type: 'BIGINT', generic: 0, nullable: false },
          { name: 'x', type: 'INTEGER', generic: 0, nullable: true },
          { name: 'y', type: 'VARCHAR(20)', generic: 1, comment: 'why' },
          { name: 'n', type: 'NUMERIC(10, 2)', generic: 0 },
          { name: 't', type: 'TIMESTAMP WITH TIME ZONE', generic: 2 },
          { name: 'c', type: 'CHAR(3)', generic: 1 },
          { name: 'l', type: 'INTEGER[]', generic: 1 },
        ],
        keys: expect.arrayContaining([
          { name: 'child_pkey', column_names: ['id'], type: 'pk' },
          { name: 'child_y_key', column_names: ['y'], type: 'unique' },
          expect.objectContaining({
            type: 'fk',
            column_names: ['y', 'x'],
            referred_schema: schema,
            referred_table: 'parent',
            referred_columns: ['b', 'a'],
          }),
          { name: 'child_n', column_names: ['n', 't'], type: 'index' },
        ]),
      })
    } finally {
      await admin([`DROP TABLE ${schema}.child, ${schema}.parent`])
    }
  })

  it.each([
    [{ port: 1 }, 'connection_failed'],
    [{ host: 'nobody.invalid' }, 'connection_hostname'],
    [{ database: 'nobody' }, 'connection_database'],
    [{ username: 'nobody' }, 'connection_username'],
    [{ username: '' }, 'connection_missing'],
  ])('reports connection problems: %j fails with %s', async (wrong, expected) => {
    const opening = postgresDriver.open({ ...settings!, ...wrong }, { schema: null, timeoutMs: 1000, allowDml: false })
    await expect(opening.catch(errorCodeOf)).resolves.toBe(expected)
  })

  it('regression: fails a statement whose connection is lost, during execution and between frames', async () => {
    const session = await open()
    await expect(readAll(session, 'SELECT pg_terminate_backend(pg_backend_pid())').catch(errorCodeOf)).resolves.toBe(
      'connection_failed',
    )
    await session.close()

    const gate = await gateTo(settings!)
    await withOpenSession(open({}, gate.settings), async (through) => {
      const reading = async () => {
        const many = { name: 'many', text: 'SELECT generate_series(1, 100000)', values: [] }
        for await (const _ of through.run(many, { ...defaultLimits, rows: 100_000 })) gate.cut()
      }
      await expect(reading()).rejects.toMatchObject({
        code: 'connection_failed',
        message: 'The connection to the server was lost.',
      })
    })
  })

  it.each([
    ['one value larger than an answer', `SELECT repeat('x', 80000000) AS x`],
    ['many values at once', `SELECT repeat('x', 1000000) AS x FROM generate_series(1, 2000)`],
  ])('regression: rejects %s without allocating memory for it', async (_, sql) => {
    const before = process.memoryUsage().rss
    await withOpenSession(open(), (session) =>
      expect(readAll(session, sql).catch(errorCodeOf)).resolves.toBe('result_too_large'),
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(400 << 20)
  })

  it('cuts the connection when the server cannot be reached to cancel a statement', async () => {
    const gate = await gateTo(settings!)
    const lock = `SELECT pg_advisory_lock(hashtext('${schema}'))`
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    await holder.query(lock)
    const session = await open({ timeoutMs: 600_000 }, gate.settings)
    // While the lock is held, only the end of its connection ends it.
    const running = readAll(session, lock).catch(errorCodeOf)
    gate.shut()
    await session.cancel()
    expect(await running).toBe('query_stopped')
    await session.close()
    await holder.end()
  })
})

/** A proxy to the server that can be closed for new connections. */
async function gateTo({ host, port }: Settings) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const there = connect({ host, port })
    for (const [from, to] of [
      [socket, there],
      [there, socket],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    settings: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    /** Existing connections stay open. */
    shut: () => void server.close(),
    cut() {
      server.close()
      for (const socket of sockets) socket.resetAndDestroy()
    },
  }
}
