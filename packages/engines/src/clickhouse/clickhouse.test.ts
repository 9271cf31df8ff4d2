import { cellAt, textAt } from '@parquetry/frame'
import { defaultLimits } from '@parquetry/model'
import { inlineValues, sql } from '@parquetry/query'
import { engineSuite } from '@parquetry/testing/engine-suite'
import { errorCodeOf, firstCell, readAll, withOpenSession } from '@parquetry/testing/sessions'
import { sampleTables } from '@parquetry/testing/sample-tables'
import { describe, expect, it } from 'vitest'
import type { Session, SessionContext } from '../shared/driver.ts'
import { dialect } from './dialect.ts'
import { clickhouseDriver } from './driver.ts'
import { clickhouse, type Settings } from './engine.ts'

const url = process.env['PARQUETRY_TEST_CLICKHOUSE']
const settings = url ? (clickhouse.fromUri(url) as Settings) : null
const schema = `engine_${process.pid}`

const open = (context: Partial<SessionContext> = {}, own: Partial<Settings> = {}): Promise<Session> =>
  clickhouseDriver.open({ ...settings!, ...own }, { schema, timeoutMs: 30_000, allowDml: false, ...context })

const admin = (...statements: string[]): Promise<void> =>
  withOpenSession(open({ allowDml: true, schema: 'default' }), async (session) => {
    for (const sql of statements) await readAll(session, sql)
  })

const toApiType = (type: string): string =>
  `Nullable(${type.replace(/^TIMESTAMP$/, 'DateTime64(6)').replace(/^DOUBLE PRECISION$/, 'Float64')})`

async function loadSamples(): Promise<void> {
  await admin(`CREATE DATABASE ${schema}`)
  for (const [name, { columns, rows }] of Object.entries(sampleTables())) {
    const table = `${schema}.${name}`
    const values = rows.map((row) => columns.map((column) => dialect.literal(row[column.name] ?? null)).join(', '))
    const typed = columns.map((column) => `${dialect.quote(column.name)} ${toApiType(column.type)}`)
    await admin(
      `CREATE TABLE ${table} (${typed.join(', ')}) ENGINE = MergeTree ORDER BY tuple()`,
      `INSERT INTO ${table} VALUES ${values.map((row) => `(${row})`).join(', ')}`,
    )
  }
}

describe.skipIf(!settings)('ClickHouse', () => {
  engineSuite({
    dialect,
    schema,
    start: loadSamples,
    stop: () => admin(`DROP DATABASE ${schema}`),
    session: ({ timeoutMs = 30_000 } = {}) => open({ timeoutMs }),
    slow: 'SELECT count() FROM numbers(1000000000000)',
    many: `SELECT number AS i, concat('text ', toString(number)) AS t FROM numbers(200000)`,
    failsLate: 'SELECT intDiv(1, 90000 - toInt64(number)) AS i FROM numbers(200000)',
    spelling: {
      types: { text: 'Nullable(String)', integer: 'Int32', double: 'Float64', boolean: 'Bool' },
    },
    valueTypes: {
      integer: 'Int64',
      unsigned: 'UInt64',
      decimal: 'Decimal(38, 10)',
      single: 'Float32',
      double: 'Float64',
      text: 'String',
      booleans: { sql: ['true', 'false', 'CAST(NULL AS Nullable(Bool))'], declared: 'BOOL' },
      zoned: {
        sql: (utc) => `toTimeZone(toDateTime('${utc}', 'UTC'), 'Asia/Tokyo')`,
        declared: "DATETIME('ASIA/TOKYO')",
      },
      special: { NaN: "toFloat64('nan')", Infinity: "toFloat64('inf')", '-Infinity': "toFloat64('-inf')" },
    },
    values: {
      Int8: { sql: 'toInt8(-128)', kind: 'number', cell: -128, generic: 0 },
      UInt32: { sql: 'toUInt32(4294967295)', kind: 'number', cell: 4_294_967_295, generic: 0 },
      Int64: { sql: 'toInt64(9007199254740993)', kind: 'bigint', cell: 9_007_199_254_740_993n, generic: 0 },
      'the least Int64': { sql: `toInt64('-9223372036854775808')`, kind: 'bigint', cell: -9_223_372_036_854_775_808n },
      'a small UInt64': { sql: 'toUInt64(5)', kind: 'bigint', cell: 5, generic: 0 },
      'the largest UInt64': {
        sql: `toUInt64('18446744073709551615')`,
        kind: 'string',
        cell: '18446744073709551615',
        generic: 0,
        noCase: true,
      },
      Int128: {
        sql: `toInt128('-170141183460469231731687303715884105728')`,
        kind: 'string',
        cell: '-170141183460469231731687303715884105728',
        generic: 0,
        noCase: true,
      },
      UInt256: {
        sql: `toUInt256('115792089237316195423570985008687907853269984665640564039457584007913129639935')`,
        kind: 'string',
        cell: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
        generic: 0,
        noCase: true,
      },
      Float32: { sql: 'toFloat32(0.1)', kind: 'number', cell: 0.1, generic: 0 },
      Float64: { sql: '0.1', kind: 'number', cell: 0.1, generic: 0 },
      'a Float64 of seventeen digits': { sql: '0.30000000000000004', kind: 'number', cell: 0.30000000000000004 },
      NaN: { sql: 'nan', kind: 'number', cell: null, text: 'NaN' },
      infinity: { sql: '-inf', kind: 'number', cell: null, text: '-Infinity' },
      'Decimal(10,2)': {
        sql: `toDecimal64('-12345678.90', 2)`,
        kind: 'decimal',
        cell: -12_345_678.9,
        text: '-12345678.90',
        generic: 0,
      },
      'Decimal(18,3)': { sql: `toDecimal64('999999999999999.999', 3)`, kind: 'decimal', cell: '999999999999999.999' },
      'Decimal(38,10)': {
        sql: `toDecimal128('1234567890123456789012345678.0123456789', 10)`,
        kind: 'string',
        cell: '1234567890123456789012345678.0123456789',
        generic: 0,
      },
      Bool: { sql: 'true', kind: 'boolean', cell: true, generic: 3 },
      'a comparison, which is a number': { sql: '1 = 1', kind: 'number', cell: 1, generic: 0 },
      FixedString: { sql: `toFixedString('abc', 3)`, kind: 'string', cell: 'abc', generic: 1 },
      LowCardinality: { sql: `toLowCardinality('abc')`, kind: 'string', cell: 'abc', generic: 1 },
      Enum: { sql: `CAST('b)' AS Enum8('a,' = 1, 'b)' = 2))`, kind: 'string', cell: 'b)', generic: 1 },
      Date: { sql: `toDate('2020-02-29')`, kind: 'time', cell: Date.UTC(2020, 1, 29), text: '2020-02-29', generic: 2 },
      Date32: { sql: `toDate32('1900-01-02')`, kind: 'time', cell: Date.UTC(1900, 0, 2), generic: 2 },
      DateTime: {
        sql: `toDateTime('2020-01-02 03:04:05')`,
        kind: 'time',
        cell: Date.UTC(2020, 0, 2, 3, 4, 5),
        text: '2020-01-02T03:04:05',
        generic: 2,
      },
      'DateTime64(6)': {
        sql: `toDateTime64('2020-01-02 03:04:05.678901', 6)`,
        kind: 'time',
        cell: Date.UTC(2020, 0, 2, 3, 4, 5) + 678.901,
        text: '2020-01-02T03:04:05.678901',
      },
      'DateTime64(9)': {
        sql: `toDateTime64('2020-01-02 03:04:05.678901234', 9)`,
        kind: 'time',
        cell: Date.UTC(2020, 0, 2, 3, 4, 5) + 678.901,
      },
      'a DateTime64 before 1970': { sql: `toDateTime64('1969-12-31 23:59:59.999999', 6)`, kind: 'time', cell: -0.001 },
      'a DateTime in a zone': {
        sql: `toDateTime('2020-07-01 12:00:00', 'Europe/Berlin')`,
        kind: 'time',
        cell: Date.UTC(2020, 6, 1, 10),
        text: '2020-07-01T10:00:00+00:00',
      },
      'a DateTime64 in a zone': {
        sql: `toDateTime64('2020-01-01 00:00:00.5', 1, 'Asia/Kolkata')`,
        kind: 'time',
        cell: Date.UTC(2019, 11, 31, 18, 30) + 500,
      },
      'an interval of days': { sql: 'INTERVAL 3 DAY', kind: 'string', cell: '3 days 00:00:00', noCase: true },
      'a negative interval': { sql: '-INTERVAL 90 MINUTE', kind: 'string', cell: '0 days -01:30:00', noCase: true },
      'an interval of months': {
        sql: 'INTERVAL 14 MONTH',
        kind: 'string',
        cell: '1 years 2 months 0 days 00:00:00',
        noCase: true,
      },
      UUID: {
        sql: `toUUID('f0000000-0000-0000-0000-00000000000f')`,
        kind: 'string',
        cell: 'f0000000-0000-0000-0000-00000000000f',
      },
      IPv4: { sql: `toIPv4('10.0.0.1')`, kind: 'string', cell: '10.0.0.1' },
      IPv6: { sql: `toIPv6('2001:db8::1')`, kind: 'string', cell: '2001:db8::1' },
      null: { sql: 'NULL', kind: 'string', cell: null, noCase: true },
      Array: { sql: '[1, NULL, 3]', kind: 'json', cell: '[1, null, 3]', generic: 1, noCase: true },
      'Array of large numbers': {
        sql: `[toUInt64('18446744073709551615'), 1]`,
        kind: 'json',
        cell: '[18446744073709551615, 1]',
        noCase: true,
      },
      'Array of decimals': { sql: `[toDecimal64('1.50', 2)]`, kind: 'json', cell: '[1.50]', noCase: true },
      'Array of floats': { sql: '[1.5, nan]', kind: 'json', cell: '[1.5, "nan"]', noCase: true },
      'Array of texts': {
        sql: `['it\\'s "so"', 'NULL', NULL]`,
        kind: 'json',
        cell: `["it's \\"so\\"", "NULL", null]`,
        noCase: true,
      },
      'an empty array': { sql: 'emptyArrayInt32()', kind: 'json', cell: '[]', noCase: true },
      Map: {
        sql: `map('a', toInt64(1), '__proto__', toInt64(2))`,
        kind: 'json',
        cell: '{"a": 1, "__proto__": 2}',
        noCase: true,
      },
      'Tuple with names': {
        sql: `CAST((1, ('x', toDate('2020-01-01'))) AS Tuple(\`a b\` Int64, c Tuple(d String, e Date)))`,
        kind: 'json',
        cell: '{"a b": 1, "c": {"d": "x", "e": "2020-01-01"}}',
        noCase: true,
      },
      'Tuple without names': { sql: `tuple(1, true)`, kind: 'json', cell: '[1, true]', noCase: true },
      Nested: {
        sql: `CAST([(1, 'x')] AS Nested(a Int64, b String))`,
        kind: 'json',
        cell: '[{"a": 1, "b": "x"}]',
        noCase: true,
      },
      JSON: { sql: `CAST('{"a": {"b": [1, 2]}}' AS JSON)`, kind: 'json', cell: '{"a":{"b":["1","2"]}}', noCase: true },
    },
  })
  describe('a read-only session', () => {
    it.each([
      ['CREATE TABLE t (a Int8) ENGINE = Memory', 'dml_not_allowed'],
      ['CREATE TABLE t ENGINE = Memory AS SELECT 1 AS a', 'dml_not_allowed'],
      ['INSERT INTO stocks (symbol) VALUES (NULL)', 'dml_not_allowed'],
      ['DROP TABLE stocks', 'dml_not_allowed'],
      ['ALTER TABLE stocks DELETE WHERE 1', 'dml_not_allowed'],
      ['TRUNCATE TABLE stocks', 'dml_not_allowed'],
      ['SYSTEM FLUSH LOGS', 'dml_not_allowed'],
      ['CREATE FUNCTION f AS (x) -> x', 'dml_not_allowed'],
      ['SELECT 1 SETTINGS readonly = 0', 'query_failed'],
    ])('%s fails with %s', async (sql, expected) => {
      await withOpenSession(open(), (session) =>
        expect(readAll(session, sql).catch(errorCodeOf)).resolves.toBe(expected),
      )
    })
  })

  it('writes when DML is allowed, regardless of the row limit', async () => {
    await withOpenSession(open({ allowDml: true }), async (session) => {
      await readAll(session, 'CREATE TABLE written ENGINE = MergeTree ORDER BY a AS SELECT 1 AS a', {
        limits: { rows: 0 },
      })
      await readAll(session, 'INSERT INTO written VALUES (2), (3)', { limits: { rows: 0 } })
    })
    await withOpenSession(open(), async (session) =>
      expect((await readAll(session, 'SELECT * FROM written')).frame.rows).toBe(3),
    )
    await admin(`DROP TABLE ${schema}.written`)
  })

  it('rejects FORMAT and output settings, and applies other settings of a statement', async () => {
    await withOpenSession(open(), async (session) => {
      await expect(readAll(session, 'SELECT 1 FORMAT CSV').catch(errorCodeOf)).resolves.toBe('sql_not_allowed')
      const exact =
        'SELECT toInt64(9007199254740993) SETTINGS max_threads = 1, output_format_json_quote_64bit_integers = 0'
      await expect(readAll(session, exact).catch(errorCodeOf)).resolves.toBe('sql_not_allowed')
      expect(await firstCell(session, `SELECT getSetting('max_threads') SETTINGS max_threads = 1`)).toBe(1)
    })
  })

  it('preserves quotes and backslashes in names of aliases and columns', async () => {
    const name = 'a"b\\c`d'
    await withOpenSession(open(), async (session) => {
      const { frame } = await readAll(
        session,
        `SELECT ${dialect.quote(name)} + 1 AS ${dialect.quote(`${name}\\`)} FROM (SELECT 1 AS ${dialect.quote(name)})`,
      )
      expect(frame.columns.map((column) => [column.name, cellAt(column, 0)])).toEqual([[`${name}\\`, 2]])
    })
  })

  it('stops a statement at its time limit', async () => {
    await withOpenSession(open({ timeoutMs: 300 }), (session) =>
      expect(readAll(session, 'SELECT count() FROM numbers(1000000000000)').catch(errorCodeOf)).resolves.toBe(
        'query_timeout',
      ),
    )
  })

  it('stops a statement that disabled its own time limit', async () => {
    // Runs for minutes, longer than the test timeout, unless it is stopped.
    const text = 'SELECT count() FROM numbers(1000000000000) SETTINGS max_execution_time = 0'
    await withOpenSession(open({ timeoutMs: 300 }), (session) =>
      expect(readAll(session, text).catch(errorCodeOf)).resolves.toBe('query_timeout'),
    )
  })

  describe('leaves nothing running', () => {
    const running = (mark: string) =>
      withOpenSession(open({ allowDml: true }), async (session) =>
        Number(
          await firstCell(
            session,
            `SELECT count() FROM system.processes WHERE query LIKE '%${mark}%' AND query NOT LIKE '%processes%'`,
          ),
        ),
      )
    const hasBegun = (mark: string) => expect.poll(() => running(mark), { timeout: 5000 }).toBe(1)
    const endedWithin5s = (mark: string) => expect.poll(() => running(mark), { timeout: 5000, interval: 100 }).toBe(0)

    it.each([[false], [true]])('after a cancel, with write permission: %s', async (allowDml) => {
      const mark = `cancelled_${process.pid}_${allowDml}`
      await withOpenSession(open({ allowDml }), async (session) => {
        const asking = readAll(session, `SELECT count() AS ${mark} FROM numbers(1000000000000)`).catch(errorCodeOf)
        await hasBegun(mark)
        await session.cancel()
        expect(await asking).toBe('query_stopped')
      })
      await endedWithin5s(mark)
    })

    it('after the reader stops between rows', async () => {
      const mark = `abandoned_${process.pid}`
      await withOpenSession(open(), async (session) => {
        const text = `SELECT number AS ${mark} FROM numbers(1000000000000)`
        for await (const _ of session.run({ name: 'test', text, values: [] }, defaultLimits)) break
      })
      await endedWithin5s(mark)
    })

    it('after the session is closed during a statement', async () => {
      const mark = `closed_${process.pid}`
      const session = await open()
      const asking = readAll(session, `SELECT count() AS ${mark} FROM numbers(1000000000000)`).catch(errorCodeOf)
      await hasBegun(mark)
      await session.close()
      expect(await asking).toBe('query_stopped')
      await endedWithin5s(mark)
    })

    it('after the row limit is reached', async () => {
      const mark = `limited_${process.pid}`
      await withOpenSession(open(), async (session) => {
        const { frame } = await readAll(session, `SELECT number AS ${mark} FROM numbers(1000000000000)`, {
          limits: { rows: 10 },
        })
        expect(frame.rows).toBe(11)
      })
      await endedWithin5s(mark)
    })
  })

  it('describes tables, views, functions and cost', async () => {
    await admin(
      `CREATE TABLE ${schema}.described (id UInt64 COMMENT 'the key', "Odd name" Nullable(Decimal(10,2)), d Date,
         w LowCardinality(Nullable(String)), e Enum8('a' = 1))
       ENGINE = MergeTree PARTITION BY toYYYYMM(d) ORDER BY (id, d) COMMENT 'the table'`,
      `INSERT INTO ${schema}.described SELECT number, NULL, toDate('2020-01-01') + number, NULL, 'a' FROM numbers(100)`,
      `CREATE VIEW ${schema}.seen AS SELECT id FROM ${schema}.described`,
    )
    try {
      await withOpenSession(open(), async (session) => {
        expect(await session.describe({ what: 'table', schema, table: 'described' })).toEqual({
          what: 'table',
          comment: 'the table',
          columns: [
            { name: 'id', type: 'UINT64', generic: 0, comment: 'the key', nullable: false },
            { name: 'Odd name', type: 'DECIMAL(10, 2)', generic: 0, comment: null, nullable: true },
            { name: 'd', type: 'DATE', generic: 2, comment: null, nullable: false },
            { name: 'w', type: 'STRING', generic: 1, comment: null, nullable: true },
            { name: 'e', type: `ENUM8('A' = 1)`, generic: 1, comment: null, nullable: false },
          ],
          keys: [{ name: 'PRIMARY', column_names: ['id', 'd'], type: 'pk' }],
          rows: 100,
          partitions: {
            cols: ['d'],
            latest: { 'toYYYYMM(d)': '202004' },
            partitionQuery: expect.stringContaining('system.parts'),
          },
        })
        expect(await session.describe({ what: 'table', schema, table: 'seen' })).toMatchObject({
          view: expect.stringContaining('described'),
        })
        expect(await session.describe({ what: 'tables', schema })).toMatchObject({
          tables: expect.arrayContaining([{ name: 'seen', type: 'view' }]),
        })
        const functions = await session.describe({ what: 'functions' })
        expect(functions).toMatchObject({ names: expect.arrayContaining(['abs', 'toStartOfMonth']) })
        const sql = 'SELECT * FROM described WHERE id < 10; -- cheap'
        expect(await session.describe({ what: 'estimate', sql })).toEqual({
          what: 'estimate',
          cost: {
            Parts: expect.stringMatching(/^\d$/),
            Rows: expect.stringMatching(/^\d+$/),
            Marks: expect.stringMatching(/^\d$/),
          },
        })
        await expect(session.describe({ what: 'estimate', sql: 'SELECT 1\nFROM nope' })).rejects.toMatchObject({
          code: 'table_missing',
          details: { line: 2, column: 6 },
        })
        await expect(session.describe({ what: 'columns', sql: 'SELECT 1 +\n  , 2' })).rejects.toMatchObject({
          code: 'syntax_error',
          details: { line: 2, column: 5 },
        })
      })
    } finally {
      await admin(`DROP TABLE ${schema}.seen`, `DROP TABLE ${schema}.described`)
    }
  })

  it('truncates times before 1970 to the correct period', async () => {
    await withOpenSession(open(), async (session) => {
      const time = sql`toDateTime64('1960-05-17 13:14:15.5', 6)`
      const starts = Object.entries(dialect.timeGrain).map(
        ([grain, start]) => [grain, inlineValues(start(time), dialect)] as const,
      )
      const { frame } = await readAll(
        session,
        `SELECT ${starts.map(([grain, text]) => `${text} AS ${dialect.quote(grain)}`).join(', ')}`,
      )
      const found = Object.fromEntries(frame.columns.map((column) => [column.name, textAt(column, 0)]))
      expect(found).toEqual({
        PT1S: '1960-05-17T13:14:15',
        PT1M: '1960-05-17T13:14:00',
        PT5M: '1960-05-17T13:10:00',
        PT10M: '1960-05-17T13:10:00',
        PT15M: '1960-05-17T13:00:00',
        PT30M: '1960-05-17T13:00:00',
        PT1H: '1960-05-17T13:00:00',
        P1D: '1960-05-17T00:00:00',
        P1W: '1960-05-16',
        P1M: '1960-05-01',
        P3M: '1960-04-01',
        P1Y: '1960-01-01',
      })
      const ofDay = Object.values(dialect.timeGrain).map((start) =>
        inlineValues(start(sql`toDate('2020-02-29')`), dialect),
      )
      expect((await readAll(session, `SELECT ${ofDay.join(', ')}`)).frame.rows).toBe(1)
    })
  })

  it.each([
    [{ database: 'nobody' }, 'connection_database'],
    [{ username: 'nobody' }, 'connection_password'],
    [{ username: 'lab', password: 'wrong' }, 'connection_password'],
    [{ host: '' }, 'connection_missing'],
    [{ port: 1 }, 'connection_failed'],
    [{ host: 'nobody.invalid' }, 'connection_hostname'],
    [{ encryption: true }, 'connection_failed'],
  ])('reports connection problems: %j fails with %s', async (wrong, expected) => {
    const asking = (async () =>
      withOpenSession(open({ timeoutMs: 5000, schema: null }, wrong), (session) =>
        session.describe({ what: 'ping' }),
      ))()
    await expect(asking.catch(errorCodeOf)).resolves.toBe(expected)
  })
})
