import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineSuite } from '@parquetry/testing/engine-suite'
import { sampleTables } from '@parquetry/testing/sample-tables'
import Database from 'better-sqlite3'
import { dialect } from './dialect.ts'
import { sqliteDriver } from './driver.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-sqlite-'))
const path = join(folder, 'samples.db')

function loadSamples(): void {
  const db = new Database(path)
  for (const [name, { columns, rows }] of Object.entries(sampleTables())) {
    db.exec(`CREATE TABLE ${name} (${columns.map((column) => `"${column.name}" ${column.type}`).join(', ')})`)
    const insert = db.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`)
    db.transaction(() => {
      for (const row of rows) insert.run(columns.map((column) => stored(row[column.name] ?? null, column.type)))
    })()
  }
  db.close()
}

/** As SQLAlchemy stores them: full times without a zone. */
const stored = (value: string | number | null, type: string) =>
  type === 'TIMESTAMP' && value !== null ? `${value} 00:00:00.000000` : value

const numbers = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199999)`

engineSuite({
  dialect,
  schema: null,
  start: () => Promise.resolve(loadSamples()),
  stop: () => Promise.resolve(rmSync(folder, { recursive: true })),
  session: ({ timeoutMs = 30_000 } = {}) => {
    const { dev, ino } = statSync(path)
    return sqliteDriver.open({ path, file: { path, dev, ino } }, { schema: null, timeoutMs, allowDml: false })
  },
  slow: `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n WHERE i < 0`,
  many: `${numbers} SELECT i, 'text ' || i AS t FROM n`,
  failsLate: `${numbers} SELECT ABS(CASE WHEN i = 90000 THEN -9223372036854775808 ELSE i END) AS i FROM n`,
  spelling: {
    rows: (names, rows) =>
      `WITH r(${names.join(', ')}) AS (VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}) SELECT * FROM r`,
    truth: 1,
    long: (length) => `PRINTF('%.${length}c', 'x')`,
    failing: `SELECT JSON_EXTRACT('{}', 'abc')`,
  },
  startsWeekOnSunday: true,
  valueTypes: {
    integer: 'INTEGER',
    double: 'REAL',
    text: 'TEXT',
    booleans: { sql: ['1', '0', 'NULL'], declared: 'BOOLEAN' },
    special: { Infinity: '9e999', '-Infinity': '-9e999' },
  },
  values: {
    integer: { sql: '7', kind: 'bigint', cell: 7, generic: 0 },
    'a large integer': { sql: '9007199254740993', kind: 'bigint', cell: 9_007_199_254_740_993n },
    'the least integer': { sql: '-9223372036854775808', kind: 'bigint', cell: -9_223_372_036_854_775_808n },
    real: { sql: '0.1', kind: 'number', cell: 0.1, generic: 0 },
    infinity: { sql: '9e999', kind: 'number', cell: null, text: 'Infinity' },
    text: { sql: `'ü😀'`, kind: 'string', cell: 'ü😀', generic: 1 },
    'a text that looks like a number': { sql: `'007'`, kind: 'string', cell: '007', generic: 1 },
    blob: { sql: `X'00FF'`, kind: 'string', cell: 'AP8=' },
    json: { sql: `JSON_OBJECT('a', JSON_ARRAY(1))`, kind: 'string', cell: '{"a":[1]}' },
    'a day': { sql: `DATE('2020-02-29')`, kind: 'time', cell: Date.UTC(2020, 1, 29), generic: 2 },
    'a time': {
      sql: `'2020-01-02 03:04:05.678901'`,
      kind: 'time',
      cell: Date.UTC(2020, 0, 2, 3, 4, 5) + 678.901,
      text: '2020-01-02T03:04:05.678901',
    },
    'a time before 1970': { sql: `'1969-12-31 23:59:59.999999'`, kind: 'time', cell: -0.001 },
    'no time': { sql: `'2020-13-45'`, kind: 'string', cell: '2020-13-45' },
  },
})
