import Database from 'better-sqlite3'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import { campaign, grantTable, marker } from '../sqllab/hostile.testing.ts'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'

interface Case {
  url: string | undefined
  /** Statements that create the schema and the table `people`; SQLite and DuckDB read a file instead. */
  setup: readonly string[]
  /** Expression that fails on the hidden row; the message contains its values if the engine reports values. */
  failing: string
  /** Rule that costs more than any expression. */
  costly?: string
}

const schema = `charts_${process.pid}`
const people = [`(1, '${marker}', 1000, 0)`, ...[2, 3, 4, 5, 6].map((n) => `(${n}, '${n}', ${n}, ${n})`)]
const values = `INSERT INTO ${schema}.people VALUES ${people.join(', ')}`
const columns = '(id int, name varchar(50), salary int, granted int)'

const cases: Record<string, Case> = {
  PostgreSQL: {
    url: process.env['PARQUETRY_TEST_POSTGRES'],
    setup: [`CREATE SCHEMA ${schema}`, `CREATE TABLE ${schema}.people ${columns}`, values],
    failing: 'CAST(name AS int)',
  },
  MySQL: {
    url: process.env['PARQUETRY_TEST_MYSQL'],
    setup: [
      `CREATE DATABASE ${schema}`,
      `CREATE TABLE ${schema}.people (id int PRIMARY KEY, name varchar(50), salary int, granted int, KEY (salary))`,
      values,
    ],
    failing: 'exp(salary)',
  },
  SQLite: { url: 'file', setup: [], failing: 'json(name)' },
  DuckDB: { url: 'file', setup: [], failing: 'CAST(name AS int)' },
  Trino: {
    url: process.env['PARQUETRY_TEST_TRINO'],
    setup: [`CREATE SCHEMA memory.${schema}`, `CREATE TABLE ${schema}.people ${columns}`, values],
    failing: 'CAST(name AS int)',
  },
  ClickHouse: {
    url: process.env['PARQUETRY_TEST_CLICKHOUSE'],
    setup: [
      `CREATE DATABASE ${schema}`,
      `CREATE TABLE ${schema}.people (id Int32, name String, salary Int32, granted Int32) ENGINE = MergeTree ORDER BY id`,
      values,
    ],
    failing: 'toInt32(name)',
    costly: `lower(upper(lower(name))) NOT LIKE 'top%'`,
  },
}

const calculated = 'a filter on a calculated column'

/** Places of a user's expression in a query over `people`. */
const expressionPositions: Record<string, (value: string) => object> = {
  'a filter on it': (value) => ({
    columns: ['id'],
    filters: [{ col: { sqlExpression: value, label: 'x', expressionType: 'SQL' }, op: 'IS NOT NULL' }],
  }),
  WHERE: (value) => ({ columns: ['id'], extras: { where: `${value} IS NOT NULL` } }),
  HAVING: (value) => ({
    columns: ['id', 'name', 'salary'],
    metrics: ['count'],
    extras: { having: `${value} IS NOT NULL` },
  }),
  'HAVING of a total': (value) => ({
    columns: ['id'],
    having_columns: ['id', 'name', 'salary'],
    metrics: ['count'],
    extras: { having: `${value} IS NOT NULL` },
  }),
  'the groups of a total': (value) => ({
    columns: ['id'],
    having_columns: [{ sqlExpression: value, label: 'x', expressionType: 'SQL' }, 'id'],
    metrics: ['count'],
    extras: { having: 'COUNT(*) > 0' },
  }),
  [calculated]: () => ({ columns: ['id'], filters: [{ col: 'granted', op: 'IS NOT NULL' }] }),
  'a column of few series': (value) => ({
    columns: [{ sqlExpression: value, label: 'x', expressionType: 'SQL' }, 'id'],
    metrics: ['count'],
    series_columns: [{ sqlExpression: value, label: 'x', expressionType: 'SQL' }],
    series_limit: 100,
  }),
  'a column': (value) => ({ columns: [{ sqlExpression: value, label: 'x', expressionType: 'SQL' }, 'id'] }),
  'a metric': (value) => ({
    columns: ['id'],
    metrics: [{ expressionType: 'SQL', sqlExpression: `max(${value})`, label: 'x' }],
  }),
}

/** Queries without SQL that compare a text column with values that are not text. */
const plain: object[] = [
  ...['IS TRUE', 'IS FALSE'].map((op) => ({ filters: [{ col: 'name', op }] })),
  ...['==', '>', '!=', 'LIKE'].map((op) => ({ filters: [{ col: 'name', op, val: 5 }] })),
  { filters: [{ col: 'name', op: 'IN', val: [5, true, 7.5] }] },
  { filters: [{ col: 'name', op: '==', val: true }] },
  { filters: [{ col: 'name', op: 'TEMPORAL_RANGE', val: '2001-01-01 : 2002-01-01' }] },
  { granularity: 'name', time_range: '2001-01-01 : 2002-01-01' },
  {
    granularity: 'name',
    time_range: '2001-01-01 : 2002-01-01',
    is_timeseries: true,
    extras: { time_grain_sqla: 'P1D' },
  },
]

describe.each(Object.keys(cases))('row-level security rules in charts over %s', (name) => {
  const { url, setup, failing, costly = `lower(trim(upper(name))) NOT LIKE 'top%'` } = cases[name]!

  describe.skipIf(!url)('combined with custom SQL', () => {
    const home = mkdtempSync(join(tmpdir(), 'parquetry-charts-'))
    const place = name === 'DuckDB' ? null : name === 'SQLite' ? 'main' : schema
    const table = place === null ? 'people' : `${place}.people`
    let lab: TestLab
    let dataset: number

    async function connect(): Promise<number> {
      if (name === 'DuckDB') {
        const file = join(home, 'files', 'people.csv')
        const lines = people.map((row) => row.slice(1, -1).replaceAll(/[' ]/g, ''))
        writeFileSync(file, ['id,name,salary,granted', ...lines].join('\n'))
        return lab.connect({ database_name: 'ruled', sqlalchemy_uri: `duckdb:///${file}` })
      }
      if (name === 'SQLite') {
        const file = join(home, 'files', 'people.db')
        const database = new Database(file)
        database.exec(`CREATE TABLE people ${columns}; ${values.replace(schema, 'main')}`)
        database.close()
        return lab.connect({ database_name: 'ruled', sqlalchemy_uri: `sqlite:///${file}` })
      }
      const writer = await lab.connect({ database_name: 'writer', sqlalchemy_uri: url, allow_dml: true })
      const { run } = campaign(
        () => lab,
        () => ({ database_id: writer, schema: 'information_schema' }),
      )
      for (const sql of setup) {
        const made = await run(sql, 'admin')
        expect(made.statusCode, made.body).toBe(200)
      }
      return lab.connect({ database_name: 'ruled', sqlalchemy_uri: url })
    }
    beforeAll(async () => {
      mkdirSync(join(home, 'files'))
      lab = await startTestLab({ settings: { files: [join(home, 'files')] } })
      const { settings } = lab.server.deps
      Object.assign(settings, { config: { ...settings.config, PREVENT_UNSAFE_DB_CONNECTIONS: false } })
      const database_id = await connect()
      dataset = await grantTable(lab, database_id, { schema: place, table: 'people' })
    }, 120_000)
    afterAll(async () => {
      if (url && url !== 'file') {
        const { db } = lab.server.deps
        const { id } = await db
          .selectFrom('database')
          .select('id')
          .where('database_name', '=', 'writer')
          .executeTakeFirstOrThrow()
        const drop = async (sql: string) => void (await lab.run(sql, { database_id: id, schema: 'information_schema' }))
        await drop(`DROP TABLE ${schema}.people`)
        await drop(name === 'MySQL' || name === 'ClickHouse' ? `DROP DATABASE ${schema}` : `DROP SCHEMA ${schema}`)
      }
      await lab.close()
      rmSync(home, { recursive: true, force: true })
    })

    const rules = { 'a costly rule': costly, 'a rule with a query': `id IN (SELECT granted FROM ${table})` }

    describe.each(Object.entries(rules))('%s', (_title, clause) => {
      beforeAll(async () => {
        await lab.server.deps.db.deleteFrom('row_rule').execute()
        await addRowLevelSecurityRule(lab.server.deps.db, dataset, 'sql_lab', clause)
      })
      it.each(Object.keys(expressionPositions))('%s does not reveal the hidden row', async (where) => {
        await lab.server.deps.db
          .updateTable('dataset_column')
          .set({ expression: where === calculated ? failing : null })
          .where('column_name', '=', 'granted')
          .execute()
        const response = await lab.server.as('sqllab').post('/api/v1/chart/data', {
          datasource: { id: dataset, type: 'table' },
          queries: [expressionPositions[where]!(failing)],
          force: true,
        })
        expect(response.statusCode, response.body).toBe(200)
        expect(response.body).not.toContain(marker)
        const [{ data }] = response.json<{ result: [{ data: { id: number }[] }] }>().result
        expect(data.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6])
      })
      it.each(plain)('%j, which an engine may evaluate with a cast, does not reveal the hidden row', async (query) => {
        const response = await lab.server.as('sqllab').post('/api/v1/chart/data', {
          datasource: { id: dataset, type: 'table' },
          queries: [{ columns: ['id'], ...query }],
          force: true,
        })
        expect(response.body).not.toContain(marker)
      })
    })

    it('a virtual dataset over the table does not reveal the hidden row', async () => {
      const { db } = lab.server.deps
      await db.deleteFrom('row_rule').execute()
      const sql = `SELECT p.id, p.name FROM ${table} p JOIN people ON people.id = p.id`
      const database_id = (
        await db.selectFrom('dataset').select('database_id').where('id', '=', dataset).executeTakeFirstOrThrow()
      ).database_id
      const id = await grantTable(lab, database_id, { schema: place, table: 'over_people', sql })
      const ask = async (query: object = {}) =>
        lab.server.as('sqllab').post('/api/v1/chart/data', {
          datasource: { id, type: 'table' },
          queries: [{ columns: ['id', 'name'], ...query }],
        })
      expect((await ask()).body).toContain(marker)
      await addRowLevelSecurityRule(db, dataset, 'sql_lab', 'id > 1')
      for (const response of [
        await ask(),
        await ask({ extras: { where: `${failing.replaceAll('salary', 'id')} IS NOT NULL` } }),
      ]) {
        expect(response.statusCode, response.body).toBe(200)
        expect(response.body).not.toContain(marker)
        const [{ data }] = response.json<{ result: [{ data: { id: number }[] }] }>().result
        expect(data.map((row) => row.id).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6])
      }
      const values = await lab.server.as('sqllab').get(`/api/v1/datasource/table/${id}/column/name/values/`)
      expect(values.statusCode, values.body).toBe(200)
      expect(values.body).not.toContain(marker)
      const read = await ask({ result_type: 'query' })
      expect(read.body).toContain('id > 1')
    })
  })
})
