import Database from 'better-sqlite3'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import { campaign, grantTable, marker } from './hostile.testing.ts'
import { type ExecuteResult, newId, startTestLab, type TestLab } from './testing.ts'

const pgUrl = process.env['PARQUETRY_TEST_POSTGRES']
const mysqlUrl = process.env['PARQUETRY_TEST_MYSQL']
const schema = `rules_${process.pid}`

/**
 * SQL that shows the hidden row to users without a rule, over `cars` (id, name), `other` (n) and the schema `main` or that of the
 * test.
 */
const common = [
  'SELECT * FROM cars',
  'SELECT c.* FROM cars AS c',
  'SELECT c.* FROM cars c',
  'SELECT cars.name FROM cars WHERE cars.id > 0',
  'SELECT * FROM/* x */cars',
  'SELECT * FROM cars -- x',
  `SELECT * FROM ${schema}.cars`,
  'SELECT * FROM other CROSS JOIN cars',
  'SELECT o.n, c.name FROM other AS o, cars AS c',
  'SELECT a.name FROM cars AS a JOIN cars AS b ON a.id = b.id',
  'SELECT a.name FROM cars AS a INNER JOIN cars AS b USING (id)',
  'SELECT other.n, cars.name FROM other LEFT JOIN cars ON cars.id > 0',
  'SELECT * FROM (SELECT * FROM cars) AS q',
  'SELECT (SELECT max(name) FROM cars) AS m FROM other',
  'SELECT * FROM other WHERE EXISTS (SELECT 1 FROM cars WHERE id = 1 AND n > 0)',
  'SELECT n FROM other UNION ALL SELECT id FROM cars WHERE id = 1',
  `SELECT 'x' AS name FROM other UNION ALL SELECT name FROM cars`,
  'WITH c AS (SELECT * FROM cars) SELECT * FROM c',
  'WITH cars AS (SELECT * FROM cars) SELECT * FROM cars',
  `WITH cars AS (SELECT 1 AS id) SELECT q.* FROM ${schema}.cars AS q`,
  'WITH a AS (WITH b AS (SELECT * FROM cars) SELECT * FROM b) SELECT * FROM a',
  'SELECT count(*) AS n FROM cars',
  'SELECT max(name) AS n FROM cars GROUP BY id ORDER BY id',
  'SELECT name FROM cars ORDER BY id LIMIT 1',
  'SELECT name FROM cars WHERE id = 1 OR 1 = 1',
  'SELECT 1 AS a; SELECT * FROM cars',
]

interface Case {
  url: string | null | undefined
  texts: readonly string[]
  /** An expression that fails on the hidden row. */
  failing: string
  setup(lab: TestLab, home: string): Promise<number>
  clean?(): Promise<void>
}

const rows = [`(1, '${marker}')`, `(2, 'b')`, `(3, 'c')`].join(', ')

async function postgres(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: pgUrl })
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}

const cases: Record<string, Case> = {
  PostgreSQL: {
    url: pgUrl,
    failing: '1 / (id - 1)',
    texts: [
      ...common,
      'TABLE cars',
      'SELECT * FROM "cars"',
      'SELECT * FROM ONLY cars',
      'SELECT * FROM cars *',
      'SELECT * FROM U&"c\\0061rs"',
      'SELECT * FROM CARS',
      'SELECT * FROM cars TABLESAMPLE BERNOULLI (100)',
      'SELECT * FROM other, LATERAL (SELECT * FROM cars WHERE id <= n) AS l',
      'SELECT * FROM other, LATERAL (TABLE cars) AS l',
      'SELECT cars FROM cars',
      'SELECT cars.* FROM cars',
      'SELECT row_to_json(cars) FROM cars',
      'SELECT row_to_json(c) FROM cars c',
      'SELECT * FROM cars AS c(a, b)',
      'SELECT * FROM (cars CROSS JOIN other)',
      'SELECT * FROM (cars CROSS JOIN other) AS j',
      'SELECT * FROM cars NATURAL JOIN other',
      'SELECT * FROM other FULL JOIN cars ON true',
      'SELECT ARRAY(SELECT name FROM cars)',
      'WITH RECURSIVE r AS (SELECT id, name FROM cars UNION ALL SELECT r.id + 10, r.name FROM r WHERE r.id < 5) SELECT * FROM r',
      `SELECT query_to_xml('SELECT * FROM cars', true, true, '')`,
      `SELECT table_to_xml('cars', true, true, '')`,
      `SELECT * FROM lab.${schema}.cars`,
      'EXPLAIN ANALYZE SELECT * FROM cars',
      'VALUES ((SELECT max(name) FROM cars WHERE id = 1))',
      'SELECT * FROM cars WINDOW w AS ()',
    ],
    async setup(lab) {
      await postgres(
        `CREATE SCHEMA ${schema}`,
        `CREATE TABLE ${schema}.cars (id int, name text)`,
        `INSERT INTO ${schema}.cars VALUES ${rows}`,
        `CREATE TABLE ${schema}.other AS SELECT 3 AS n`,
      )
      return lab.connect({ database_name: 'ruled', sqlalchemy_uri: pgUrl })
    },
    clean: () => postgres(`DROP SCHEMA ${schema} CASCADE`),
  },
  SQLite: {
    url: null,
    failing: `json(CASE id WHEN 1 THEN name ELSE '1' END)`,
    texts: [
      ...common.map((text) => text.replace(`${schema}.`, 'main.')),
      'SELECT * FROM [cars]',
      'SELECT * FROM `cars`',
      'SELECT * FROM "cars"',
      'SELECT * FROM CARS',
      'SELECT * FROM (cars)',
      'SELECT * FROM (cars JOIN other)',
      'SELECT * FROM cars NOT INDEXED',
      'SELECT * FROM other WHERE 1 IN (SELECT id FROM cars)',
      'SELECT * FROM other WHERE (1) IN cars',
      'VALUES ((SELECT max(name) FROM cars WHERE id = 1))',
    ],
    async setup(lab, home) {
      const { settings } = lab.server.deps
      Object.assign(settings, { config: { ...settings.config, PREVENT_UNSAFE_DB_CONNECTIONS: false } })
      const file = join(home, 'files', 'rules.db')
      const database = new Database(file)
      database.exec(`CREATE TABLE cars (id int, name text); INSERT INTO cars VALUES ${rows};
        CREATE TABLE other AS SELECT 3 AS n`)
      database.close()
      return lab.connect({ database_name: 'ruled', sqlalchemy_uri: `sqlite:///${file}` })
    },
  },
  MySQL: {
    url: mysqlUrl,
    failing: 'exp(710 * (2 - id))',
    texts: [
      ...common,
      'SELECT * FROM `cars`',
      'SELECT * FROM `cars` AS `c`',
      'SELECT * FROM (cars)',
      'SELECT * FROM other STRAIGHT_JOIN cars',
      'SELECT * FROM (other, cars)',
      'SELECT * FROM cars PARTITION (p0)',
      'SELECT * FROM cars USE INDEX ()',
      `SELECT '\\'', name FROM cars -- '`,
      'SELECT name FROM cars # x',
    ],
    async setup(lab) {
      const writer = await lab.connect({ database_name: 'writer', sqlalchemy_uri: mysqlUrl, allow_dml: true })
      for (const sql of [
        `CREATE DATABASE ${schema}`,
        `CREATE TABLE ${schema}.cars (id int, name varchar(50))`,
        `INSERT INTO ${schema}.cars VALUES ${rows}`,
        `CREATE TABLE ${schema}.other AS SELECT 3 AS n`,
      ]) {
        const made = await lab.run(sql, { database_id: writer, schema: 'information_schema', client_id: newId() })
        if (made.statusCode !== 200) throw new Error(made.body)
      }
      return lab.connect({ database_name: 'ruled', sqlalchemy_uri: mysqlUrl })
    },
  },
}

describe.each(Object.keys(cases))('row-level security rules in SQL Lab on %s', (name) => {
  const { url, texts, failing, setup, clean } = cases[name]!

  describe.skipIf(url === undefined)('when the engine is available', () => {
    const home = mkdtempSync(join(tmpdir(), 'parquetry-rules-'))
    const place = name === 'SQLite' ? 'main' : schema
    let lab: TestLab
    let database_id: number
    let dataset: number
    const { run } = campaign(
      () => lab,
      () => ({ database_id, schema: place }),
    )
    const rule = (clause: string) => addRowLevelSecurityRule(lab.server.deps.db, dataset, 'sql_lab', clause)
    beforeAll(async () => {
      mkdirSync(join(home, 'files'))
      lab = await startTestLab({ settings: { files: [join(home, 'files')] } })
      database_id = await setup(lab, home)
      dataset = await grantTable(lab, database_id, { schema: place, table: 'cars' })
      await grantTable(lab, database_id, { schema: place, table: 'other' })
      await rule('id <> 1 -- not the first')
    }, 60_000)
    afterAll(async () => {
      await lab.close()
      await clean?.()
      rmSync(home, { recursive: true, force: true })
    })

    const dataOf = ({ body, statusCode }: { body: string; statusCode: number }): string =>
      statusCode === 200 ? JSON.stringify((JSON.parse(body) as ExecuteResult).data) : ''

    it.each(texts)('hide the row: %s', async (sql) => {
      const open = dataOf(await run(sql, 'admin'))
      for (const more of [{}, { schema: null }]) {
        const response = await run(sql, 'sqllab', more)
        expect([200, 400, 403], response.body).toContain(response.statusCode)
        const shown = dataOf(response)
        expect(shown).not.toContain(marker)
        if (response.statusCode === 200 && !sql.includes('LIMIT')) expect(shown).not.toBe(open)
      }
    })

    it('regression: evaluates no condition of the query on a hidden row, whatever the cost of the rule', async () => {
      await rule(`lower(trim(upper(name))) NOT LIKE 'top%'`)
      const { body, statusCode } = await run(`SELECT id FROM cars WHERE ${failing} IS NOT NULL`, 'sqllab')
      expect(statusCode, body).toBe(200)
    })

    it('regression: rejects a cost estimate, which would reveal how many rows are hidden', async () => {
      const body = { database_id, schema: place, sql: 'SELECT * FROM cars WHERE id = 1' }
      const response = await lab.server.as('sqllab').post('/api/v1/sqllab/estimate/', body)
      expect(response.statusCode, response.body).toBe(name === 'SQLite' ? 400 : 403)
    })

    it('regression: returns 410 for a stored result when other rules apply than when it was read', async () => {
      const response = await run('SELECT name FROM cars ORDER BY id', 'sqllab')
      const key = response.json<ExecuteResult>().query.resultsKey
      const results = () => lab.server.as('sqllab').get(`/api/v1/sqllab/results/?q=(key:'${key}')`)
      expect((await results()).statusCode).toBe(200)
      await rule('id <> 2')
      expect((await results()).statusCode).toBe(410)
      expect((await run('SELECT name FROM cars', 'sqllab')).json<ExecuteResult>().data).toEqual([{ name: 'c' }])
    })
  })
})
