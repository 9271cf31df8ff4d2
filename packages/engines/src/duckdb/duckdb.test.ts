import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbeddedTable } from '@parquetry/model'
import { engineSuite, writeValues } from '@parquetry/testing/engine-suite'
import { readAll } from '@parquetry/testing/sessions'
import { sampleTables } from '@parquetry/testing/sample-tables'
import { describe, expect, it } from 'vitest'
import type { Instance } from '../shared/driver.ts'
import { dialect } from './dialect.ts'
import { duckdbDriver } from './driver.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-duckdb-'))
const limits = { memoryLimitMb: 512, threads: 2, spillFolder: join(folder, 'spill') }
let instance: Instance

async function loadSamples(): Promise<EmbeddedTable[]> {
  const loaded: EmbeddedTable[] = []
  for (const [name, { columns, rows }] of Object.entries(sampleTables())) {
    const table: EmbeddedTable = { name, file: `${name}.1.duckdb`, version: 1, format: 'duckdb', table: 'data' }
    const path = join(folder, `${name}.json`)
    writeFileSync(path, JSON.stringify(rows))
    const select = `SELECT ${columns.map((column) => `CAST("${column.name}" AS ${column.type}) AS "${column.name}"`).join(', ')} FROM source`
    const { signal } = new AbortController()
    await duckdbDriver.load({ folder, table, from: { path, format: 'json', select }, signal }, limits)
    loaded.push(table)
  }
  return loaded
}

engineSuite({
  dialect,
  schema: null,
  start: async () => {
    instance = await duckdbDriver.open(folder, await loadSamples(), limits)
  },
  stop: async () => {
    instance.close()
    rmSync(folder, { recursive: true })
  },
  session: () => instance.session(),
  slow: 'SELECT count(*) FROM range(400000) a, range(400000) b WHERE a.range + b.range = 7',
  many: "SELECT range AS i, 'text ' || range AS t FROM range(200000)",
  failsLate: "SELECT CASE WHEN range = 90000 THEN CAST(error('late') AS BIGINT) ELSE range END AS i FROM range(200000)",
  spelling: { rows: writeValues },
  valueTypes: {
    integer: 'BIGINT',
    unsigned: 'UBIGINT',
    decimal: 'DECIMAL(38, 10)',
    single: 'FLOAT',
    double: 'DOUBLE',
    text: 'VARCHAR',
    nanoseconds: 'TIMESTAMP_NS',
    booleans: { sql: ['true', 'false', 'NULL::BOOLEAN'], declared: 'BOOLEAN' },
    zoned: {
      sql: (utc) => `CAST('${utc}+00' AS TIMESTAMPTZ)`,
      declared: 'TIMESTAMP WITH TIME ZONE',
    },
    special: { NaN: "'nan'::DOUBLE", Infinity: "'inf'::DOUBLE", '-Infinity': "'-inf'::DOUBLE" },
  },
  cases: 200,
  values: {
    TINYINT: { sql: 'CAST(-128 AS TINYINT)', kind: 'number', cell: -128, generic: 0 },
    UTINYINT: { sql: 'CAST(255 AS UTINYINT)', kind: 'number', cell: 255 },
    SMALLINT: { sql: 'CAST(-32768 AS SMALLINT)', kind: 'number', cell: -32_768 },
    USMALLINT: { sql: 'CAST(65535 AS USMALLINT)', kind: 'number', cell: 65_535 },
    INTEGER: { sql: 'CAST(-2147483648 AS INTEGER)', kind: 'number', cell: -2_147_483_648 },
    UINTEGER: { sql: 'CAST(4294967295 AS UINTEGER)', kind: 'number', cell: 4_294_967_295 },
    BIGINT: { sql: 'CAST(9007199254740993 AS BIGINT)', kind: 'bigint', cell: 9_007_199_254_740_993n, generic: 0 },
    'the least BIGINT': {
      sql: 'CAST(-9223372036854775808 AS BIGINT)',
      kind: 'bigint',
      cell: -9_223_372_036_854_775_808n,
    },
    'a small UBIGINT': { sql: 'CAST(5 AS UBIGINT)', kind: 'bigint', cell: 5 },
    'the largest UBIGINT': {
      sql: 'CAST(18446744073709551615 AS UBIGINT)',
      kind: 'string',
      cell: '18446744073709551615',
      generic: 0,
    },
    'a small HUGEINT': { sql: 'CAST(-5 AS HUGEINT)', kind: 'bigint', cell: -5 },
    'a large HUGEINT': {
      sql: 'CAST(-170141183460469231731687303715884105727 AS HUGEINT)',
      kind: 'string',
      cell: '-170141183460469231731687303715884105727',
      generic: 0,
    },
    UHUGEINT: {
      sql: 'CAST(340282366920938463463374607431768211455 AS UHUGEINT)',
      kind: 'string',
      cell: '340282366920938463463374607431768211455',
    },
    BIGNUM: {
      sql: "CAST('-123456789012345678901234567890' AS BIGNUM)",
      kind: 'string',
      cell: '-123456789012345678901234567890',
    },
    FLOAT: { sql: 'CAST(0.5 AS FLOAT)', kind: 'number', cell: 0.5 },
    DOUBLE: { sql: 'CAST(0.1 AS DOUBLE)', kind: 'number', cell: 0.1, generic: 0 },
    'a FLOAT of 0.1': { sql: 'CAST(0.1 AS FLOAT)', kind: 'number', cell: 0.1, text: '0.1' },
    'a list of FLOAT': { sql: "[CAST(0.1 AS FLOAT), 'nan']", kind: 'json', cell: '[0.1, "NaN"]' },
    'the last nanosecond of a day': {
      sql: "CAST('2024-02-29 23:59:59.999999999' AS TIMESTAMP_NS)",
      kind: 'time',
      cell: Date.UTC(2024, 1, 29, 23, 59, 59) + 999.999,
      text: '2024-02-29T23:59:59.999999999',
    },
    NaN: { sql: "CAST('NaN' AS DOUBLE)", kind: 'number', cell: null, text: 'NaN' },
    infinity: { sql: "CAST('-Infinity' AS DOUBLE)", kind: 'number', cell: null, text: '-Infinity' },
    'DECIMAL(4,1)': { sql: 'CAST(-1.5 AS DECIMAL(4, 1))', kind: 'decimal', cell: -1.5, text: '-1.5', generic: 0 },
    'DECIMAL(9,2)': { sql: 'CAST(1234567.89 AS DECIMAL(9, 2))', kind: 'decimal', cell: 1_234_567.89 },
    'DECIMAL(18,3)': {
      sql: 'CAST(-999999999999999.999 AS DECIMAL(18, 3))',
      kind: 'decimal',
      cell: '-999999999999999.999',
    },
    'a narrow DECIMAL(38,4)': { sql: 'CAST(2.5 AS DECIMAL(38, 4))', kind: 'decimal', cell: 2.5, text: '2.5000' },
    'a wide DECIMAL(38,10)': {
      sql: "CAST('-1234567890123456789012345678.0123456789' AS DECIMAL(38, 10))",
      kind: 'string',
      cell: '-1234567890123456789012345678.0123456789',
      generic: 0,
    },
    BOOLEAN: { sql: 'true', kind: 'boolean', cell: true, generic: 3 },
    DATE: { sql: "DATE '2020-02-29'", kind: 'time', cell: Date.UTC(2020, 1, 29), text: '2020-02-29', generic: 2 },
    'a DATE before 1970': { sql: "DATE '1583-10-15'", kind: 'time', cell: Date.UTC(1583, 9, 15) },
    'an infinite DATE': { sql: "CAST('infinity' AS DATE)", kind: 'time', cell: null },
    TIMESTAMP: {
      sql: "TIMESTAMP '2020-01-02 03:04:05.678901'",
      kind: 'time',
      cell: Date.UTC(2020, 0, 2, 3, 4, 5) + 678.901,
      text: '2020-01-02T03:04:05.678901',
      generic: 2,
    },
    'a TIMESTAMP before 1970': { sql: "TIMESTAMP '1969-12-31 23:59:59.999999'", kind: 'time', cell: -0.001 },
    'an infinite TIMESTAMP': { sql: "CAST('-infinity' AS TIMESTAMP)", kind: 'time', cell: null },
    TIMESTAMP_S: {
      sql: "CAST('2020-01-02 03:04:05' AS TIMESTAMP_S)",
      kind: 'time',
      cell: Date.UTC(2020, 0, 2, 3, 4, 5),
    },
    TIMESTAMP_MS: {
      sql: "CAST('2020-01-02 03:04:05.678' AS TIMESTAMP_MS)",
      kind: 'time',
      cell: Date.UTC(2020, 0, 2, 3, 4, 5, 678),
    },
    TIMESTAMP_NS: {
      sql: "CAST('2020-01-02 03:04:05.5' AS TIMESTAMP_NS)",
      kind: 'time',
      cell: Date.UTC(2020, 0, 2, 3, 4, 5, 500),
    },
    TIMESTAMPTZ: {
      sql: "TIMESTAMPTZ '2020-01-01 00:00:00+02'",
      kind: 'time',
      cell: Date.UTC(2019, 11, 31, 22),
      text: '2019-12-31T22:00:00+00:00',
    },
    TIME: { sql: "TIME '23:59:59.5'", kind: 'string', cell: '23:59:59.500000', generic: 1 },
    TIMETZ: { sql: "CAST('10:00:00-03:30' AS TIMETZ)", kind: 'string', cell: '10:00:00-03:30' },
    INTERVAL: { sql: "INTERVAL '1 day 2 hours'", kind: 'string', cell: '1 days 02:00:00' },
    'a negative INTERVAL': {
      sql: "INTERVAL '-14 months -3 days -4.5 seconds'",
      kind: 'string',
      cell: '-1 years -2 months -3 days -00:00:04.500000',
    },
    UUID: {
      sql: "CAST('f0000000-0000-0000-0000-00000000000f' AS UUID)",
      kind: 'string',
      cell: 'f0000000-0000-0000-0000-00000000000f',
    },
    BLOB: {
      sql: "CAST('\\x00\\xFFabcdefghijklmnop' AS BLOB)",
      kind: 'string',
      cell: Buffer.from('\0\xFFabcdefghijklmnop', 'latin1').toString('base64'),
    },
    BIT: { sql: "CAST('10110011101' AS BIT)", kind: 'string', cell: '10110011101' },
    ENUM: { sql: "CAST('b' AS ENUM('a', 'b'))", kind: 'string', cell: 'b', generic: 1 },
    JSON: { sql: `CAST('{"a":[1]}' AS JSON)`, kind: 'json', cell: '{"a":[1]}' },
    LIST: { sql: '[1, NULL, 3]', kind: 'json', cell: '[1, null, 3]' },
    'an empty LIST': { sql: 'CAST([] AS INTEGER[])', kind: 'json', cell: '[]' },
    'nested lists': { sql: `[[DATE '2020-01-01'], NULL, []]`, kind: 'json', cell: '[["2020-01-01"], null, []]' },
    ARRAY: { sql: 'array_value(1.5, 2.5)', kind: 'json', cell: '[1.5, 2.5]', noCase: true },
    STRUCT: {
      sql: `{'a': 'it''s "so"', 'b': NULL, 'c': {'d': true}}`,
      kind: 'json',
      cell: `{"a": "it's \\"so\\"", "b": null, "c": {"d": true}}`,
    },
    MAP: { sql: "MAP {'k': 1, 'l': NULL}", kind: 'json', cell: '{"k": 1, "l": null}' },
    UNION: { sql: "CAST('x' AS UNION(n INTEGER, t VARCHAR))", kind: 'json', cell: '"x"' },
  },
})

/** The second line of defense behind the guard, which these statements bypass. */
describe('a locked instance', () => {
  it('does not reveal a server path for a file that cannot be read', async () => {
    const session = await instance.session()
    try {
      await expect(readAll(session, "SELECT * FROM '/secret/place/people.csv'")).rejects.toMatchObject({
        code: 'query_failed',
        message: 'Permission Error: The query reads a file that is not accessible.',
      })
    } finally {
      await session.close()
    }
  })

  it.each([
    `SELECT * FROM read_text('/etc/hostname')`,
    `SELECT * FROM read_csv('http://127.0.0.1:1/x.csv')`,
    `SELECT * FROM glob('/etc/*')`,
    `COPY (SELECT 1) TO '/tmp/parquetry-locked.csv'`,
    `ATTACH '/tmp/parquetry-locked.duckdb'`,
    'INSTALL httpfs',
    'LOAD httpfs',
    'SET enable_external_access = true',
    'SET lock_configuration = false',
    'SET threads = 1',
    `SET temp_directory = '/tmp'`,
    `SET allowed_directories = ['/']`,
    'INSERT INTO _cars_1.main.data SELECT * FROM cars',
    'DROP TABLE _cars_1.main.data',
  ])('rejects without the guard: %s', async (sql) => {
    const session = await instance.session()
    await expect(readAll(session, sql)).rejects.toMatchObject({ code: expect.stringMatching(/query_failed|missing/) })
    await session.close()
  })
})
