import { engineSuite } from '@parquetry/testing/engine-suite'
import { sampleTables } from '@parquetry/testing/sample-tables'
import { describe } from 'vitest'
import { dialect } from './dialect.ts'
import { runAsAdmin, openTestSession, testServerSettings } from './testing.ts'

const schema = `engine_${process.pid}`

/** The range of TIMESTAMP begins one second after the start of 1970. */
const toColumnType = (type: string) => type.replace('TIMESTAMP', 'DATETIME(6)')

async function loadSamples(): Promise<void> {
  await runAsAdmin([`CREATE DATABASE ${schema} COLLATE utf8mb4_bin`])
  for (const [name, { columns, rows }] of Object.entries(sampleTables())) {
    const table = `${schema}.${name}`
    await runAsAdmin(
      [
        `CREATE TABLE ${table} (${columns.map((column) => `\`${column.name}\` ${toColumnType(column.type)}`).join(', ')})`,
      ],
      [`INSERT INTO ${table} VALUES ?`, [rows.map((row) => columns.map((column) => row[column.name] ?? null))]],
    )
  }
}

describe.skipIf(!testServerSettings)('MySQL', () => {
  engineSuite({
    dialect,
    schema,
    start: loadSamples,
    stop: async () => void (await runAsAdmin([`DROP DATABASE ${schema}`])),
    session: ({ timeoutMs = 30_000 } = {}) => openTestSession(schema, { timeoutMs }),
    slow: 'SELECT SLEEP(20)',
    many: `SELECT seq AS i, CONCAT('text ', seq) AS t FROM seq_0_to_199999`,
    failsLate: 'SELECT IF(seq = 90000, 9223372036854775807 + CAST(seq AS SIGNED), seq) AS i FROM seq_0_to_199999',
    spelling: {
      types: { text: 'CHAR', integer: 'SIGNED', double: 'DOUBLE', boolean: 'SIGNED' },
      concat: (...parts) => `CONCAT(${parts.join(', ')})`,
      truth: 1,
      failing: `SELECT EXTRACTVALUE('<a/>', CONCAT('~', 'abc'))`,
    },
    startsWeekOnSunday: true,
    valueTypes: {
      integer: 'SIGNED',
      unsigned: 'UNSIGNED',
      decimal: 'DECIMAL(38, 10)',
      single: 'FLOAT',
      double: 'DOUBLE',
      text: 'CHAR',
      booleans: { sql: ['1', '0', 'NULL'], declared: 'TINYINT(1)' },
      // Its collations ignore spaces at the end, most also letter case and control characters.
      collated: (text) =>
        text
          .replaceAll(/[\t\n]| +$/g, '')
          .trimEnd()
          .toLowerCase(),
      declared: { integer: 'BIGINT', unsigned: 'BIGINT UNSIGNED', text: 'VARCHAR' },
    },
    values: {
      'BIGINT that fits': { sql: '9007199254740993', kind: 'bigint', cell: 9_007_199_254_740_993n, generic: 0 },
      'the least BIGINT': { sql: '-9223372036854775808', kind: 'bigint', cell: -9_223_372_036_854_775_808n },
      'the largest BIGINT UNSIGNED': {
        sql: 'CAST(18446744073709551615 AS UNSIGNED)',
        kind: 'string',
        cell: '18446744073709551615',
        generic: 0,
      },
      DOUBLE: { sql: 'CAST(0.1 AS DOUBLE)', kind: 'number', cell: 0.1, generic: 0 },
      FLOAT: { sql: 'CAST(0.1 AS FLOAT)', kind: 'number', cell: 0.1, noCase: true },
      'DECIMAL(10,2)': {
        sql: 'CAST(-12345678.90 AS DECIMAL(10,2))',
        kind: 'decimal',
        cell: -12_345_678.9,
        text: '-12345678.90',
        generic: 0,
      },
      'DECIMAL(18,3)': {
        sql: 'CAST(999999999999999.999 AS DECIMAL(18,3))',
        kind: 'decimal',
        cell: '999999999999999.999',
      },
      'DECIMAL(38,10)': {
        sql: 'CAST(1234567890123456789012345678.0123456789 AS DECIMAL(38,10))',
        kind: 'string',
        cell: '1234567890123456789012345678.0123456789',
        generic: 0,
      },
      truth: { sql: 'TRUE', kind: 'number', cell: 1, generic: 0 },
      DATE: { sql: `DATE '2020-02-29'`, kind: 'time', cell: Date.UTC(2020, 1, 29), text: '2020-02-29', generic: 2 },
      'DATETIME(6)': {
        sql: `TIMESTAMP '2020-01-02 03:04:05.678901'`,
        kind: 'time',
        cell: Date.UTC(2020, 0, 2, 3, 4, 5) + 678.901,
        text: '2020-01-02T03:04:05.678901',
        generic: 2,
      },
      'a time before 1970': { sql: `TIMESTAMP '1969-12-31 23:59:59.999999'`, kind: 'time', cell: -0.001 },
      'a time of long ago': { sql: `TIMESTAMP '0001-01-01 00:00:00'`, kind: 'time', cell: -62_135_596_800_000 },
      TIME: { sql: `CAST('23:59:59.5' AS TIME(6))`, kind: 'string', cell: '23:59:59.500000', generic: 1 },
      'a negative TIME': { sql: `CAST('-838:59:58' AS TIME)`, kind: 'string', cell: '-838:59:58' },
      BINARY: { sql: `CAST(X'00FF' AS BINARY)`, kind: 'string', cell: 'AP8=', generic: 1 },
      JSON: { sql: `JSON_OBJECT('a', JSON_ARRAY(1))`, kind: 'json', cell: '{"a": [1]}' },
      'a point': { sql: `ST_GeomFromText('POINT(1 2)')`, kind: 'json', cell: '{"x":1,"y":2}' },
      YEAR: { sql: `YEAR(DATE '2020-01-01')`, kind: 'number', cell: 2020 },
      'no value': { sql: 'NULL', kind: 'string', cell: null },
      'text of a number': { sql: `CONCAT(1, '%')`, kind: 'string', cell: '1%' },
    },
  })
})
