import type { InspectedStatement, Inspection } from '@parquetry/model'
import { expect, it } from 'vitest'
import { type SpliceContext, spliceRowLevelSecurity } from './splice-rls.ts'

const cars = { catalog: null, schema: 'public', name: 'cars', clause: `origin = 'Japan'` }

/** Inspection whose tables are at the marks: `SELECT * FROM <cars> c`. */
function marked(text: string, own: Partial<InspectedStatement> = {}): [sql: string, inspection: Inspection] {
  const tables: InspectedStatement['tables'] = []
  let sql = ''
  for (const [at, part] of text.split(/[<>]/).entries()) {
    if (at % 2 === 1) {
      const names = part.split('.').map((name) => name.replaceAll('"', ''))
      tables.push({
        catalog: null,
        schema: names.at(-2) ?? null,
        name: names.at(-1)!,
        span: [sql.length, sql.length + part.length],
      })
    }
    sql += part
  }
  const statement: InspectedStatement = {
    span: [0, sql.length],
    kind: 'select',
    readOnly: true,
    tables,
    functions: [],
    tableFunctions: [],
    ownLimit: null,
    limitSpan: null,
    hasOrder: false,
    takesLimit: true,
    ...own,
  }
  return [sql, { statements: [statement], error: null }]
}
const context: SpliceContext = { catalog: null, schema: 'public', dialect: '', fence: '' }
const splice = (text: string, own?: Partial<InspectedStatement>, given: Partial<SpliceContext> = {}): string =>
  spliceRowLevelSecurity(...marked(text, own), [cars], { ...context, ...given })
const query = (name: string): string => `(SELECT * FROM ${name} WHERE (origin = 'Japan'))`

it('replaces only the table, with the rows that the rules allow', () => {
  expect(splice('SELECT * FROM <cars>')).toBe(`SELECT * FROM ${query('cars')} AS cars`)
  expect(splice('SELECT c.a FROM <cars> c, <movies> -- cars\nWHERE 1=1')).toBe(
    `SELECT c.a FROM ${query('cars')} c, movies -- cars\nWHERE 1=1`,
  )
  expect(splice('SELECT * FROM <public.cars> AS x JOIN <"cars"> USING (id)')).toBe(
    `SELECT * FROM ${query('public.cars')} AS x JOIN ${query('"cars"')} AS "cars" USING (id)`,
  )
  expect(splice('SELECT cars.a FROM <CARS> WHERE cars.b = 1')).toBe(
    `SELECT cars.a FROM ${query('CARS')} AS CARS WHERE cars.b = 1`,
  )
})

it('regression: rejects a plan of a restricted table, which would count the hidden rows', () => {
  const explain = { kind: 'explain' }
  expect(() => splice('EXPLAIN SELECT * FROM <cars> WHERE a = 1', explain)).toThrow(
    'a query plan would reveal information',
  )
  expect(splice('EXPLAIN SELECT * FROM <movies>', explain)).toBe('EXPLAIN SELECT * FROM movies')
})

it('ends each sub-query with the fence of the engine', () => {
  const spliced = splice('SELECT * FROM <cars> c', {}, { dialect: 'mysql', fence: 'LIMIT 9' })
  expect(spliced).toBe(`SELECT * FROM (SELECT * FROM cars WHERE (origin = 'Japan') LIMIT 9) c`)
})

it('ignores tables of other schemas, and treats an unqualified name as the restricted table', () => {
  expect(splice('SELECT * FROM <other.cars>')).toBe('SELECT * FROM other.cars')
  expect(splice('SELECT * FROM <cars>', {}, { schema: 'other' })).toContain('Japan')
  expect(splice('SELECT * FROM <cars>', {}, { schema: null })).toContain('Japan')
})

it.each([
  ['FROM <cars> TABLESAMPLE SYSTEM (1)', undefined],
  ['FROM <cars> FINAL', undefined],
  [`SELECT * FROM query('SELECT * FROM cars')`, { tableFunctions: ['query'] }],
  ['INSERT INTO <movies> SELECT * FROM `x`, "cars"', { kind: 'insert', readOnly: false }],
  ['DELETE FROM <cars>', { kind: 'delete', readOnly: false }],
  ['DESCRIBE <cars>', { kind: 'describe' }],
  ['SUMMARIZE <cars>', { kind: 'summarize' }],
  ['SELECT * FROM (summarize /* all */ <cars>)', undefined],
] as [string, Partial<InspectedStatement> | undefined][])('rejects SQL that it cannot restrict: %s', (text, own) => {
  expect(() => splice(text, own)).toThrow('cannot be enforced where this query names "cars"')
})

it.each([
  ['postgresql', 'SELECT * FROM <pg_stats>'],
  ['postgresql', 'SELECT * FROM <pg_catalog.pg_statistic>'],
  ['mysql', 'SELECT * FROM <mysql.column_stats>'],
  ['mysql', 'SELECT * FROM <information_schema.column_statistics>'],
  ['sqlite', 'SELECT * FROM <sqlite_stat4>'],
  ['clickhouse', 'SELECT * FROM <system.query_log>'],
  ['trino', 'SELECT * FROM <"cars$files">'],
])('regression: rejects tables in which %s stores values of other tables: %s', (dialect, text) => {
  expect(() => splice(text, {}, { dialect })).toThrow('cannot be enforced where this query names')
})

it.each([
  ['do', `DO $$ BEGIN EXECUTE 'select * from ca' || 'rs'; END $$`],
  ['execute', `EXECUTE IMMEDIATE CONCAT('SELECT * FROM ca', 'rs')`],
  ['set', 'SET search_path = other'],
  ['create', `CREATE OR REPLACE FUNCTION f() RETURNS text AS $$ x $$ LANGUAGE plpgsql`],
  ['unknown', 'CALL f()'],
  ['pivot', 'PIVOT cars ON a'],
])('regression: rejects a statement that may run SQL which was not inspected: %s', (kind, text) => {
  expect(() => splice(text, { kind, readOnly: false })).toThrow('only statements whose tables can be determined')
  expect(spliceRowLevelSecurity(...marked(text, { kind, readOnly: false }), [], context)).toBe(text)
})

it('allows changes to other tables', () => {
  const change = 'INSERT INTO <movies> SELECT 1'
  expect(splice(change, { kind: 'insert', readOnly: false })).toBe('INSERT INTO movies SELECT 1')
})

it('rejects a table at an unknown position', () => {
  const [sql, inspection] = marked('SELECT * FROM <cars>')
  inspection.statements[0]!.tables[0]!.span = null
  expect(() => spliceRowLevelSecurity(sql, inspection, [cars], context)).toThrow(
    'cannot be enforced where this query names',
  )
})

it.each([
  `SELECT 'cars' AS source, a AS cars FROM <cars> c`,
  'SELECT cars FROM <movies>',
  'WITH cars AS (SELECT 1 AS a) SELECT * FROM cars',
  `SELECT * FROM <movies> AS cars WHERE title LIKE '%cars%'`,
])('binds names of columns, aliases, queries in WITH and words in strings: %s', (text) => {
  const plain = text.replaceAll(/[<>]/g, '')
  expect(splice(text)).toBe(plain.replace('FROM cars c', `FROM ${query('cars')} c`))
})

it('compares names as the engine does', () => {
  expect(splice('SELECT * FROM <CARS>', {}, { dialect: 'mysql' })).toContain('Japan')
  expect(splice('SELECT * FROM <PUBLIC.CARS>', {}, { dialect: 'duckdb' })).toContain('Japan')
  expect(splice('SELECT * FROM <"CARS">', {}, { dialect: 'postgresql' })).not.toContain('Japan')
})

it('regression: tokenizes a text once, even if it names a table thousands of times', () => {
  const names = Array.from({ length: 20_000 }, (_, index) => (index % 2 ? '<cars> a' : '<movies>'))
  const spliced = splice(`SELECT * FROM ${names.join(', ')}`)
  expect(spliced.split(query('cars'))).toHaveLength(10_001)
})
