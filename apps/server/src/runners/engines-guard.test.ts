import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { retryUntilStarted } from '../sqllab/testing.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import { createRunners } from './create-runners.ts'
import type { Runners } from './runners.ts'

interface Case {
  url: string | undefined
  /** SQL of a dataset with a text column `name`. */
  sql: string
  first: string
  reach: Record<string, string>
}

const cases: Record<string, Case> = {
  ClickHouse: {
    url: process.env['PARQUETRY_TEST_CLICKHOUSE'],
    sql: `SELECT concat('N', toString(number)) AS name FROM numbers(3)`,
    first: 'N0',
    reach: {
      'files of the server': `file('/etc/hostname')`,
      'files by another spelling': "`file` /* */ ('/etc/hostname')",
      'other servers': `hasColumnInTable('127.0.0.1:1', 'default', '', 'a', 'b', 'c')`,
      dictionaries: `dictGet('a', 'b', 1)`,
      settings: `getSetting('readonly')`,
      waiting: 'sleep(3)',
    },
  },
  MySQL: {
    url: process.env['PARQUETRY_TEST_MYSQL'],
    sql: `SELECT 'N0' AS name UNION ALL SELECT 'N1' UNION ALL SELECT 'N2'`,
    first: 'N0',
    reach: {
      'files of the server': `LOAD_FILE('/etc/hostname')`,
      'files by another spelling': "`load_file` /* */ ('/etc/hostname')",
      'what a comment hides': `'a' /*!50000 , LOAD_FILE('/etc/hostname') */`,
      'what MariaDB hides': `'a' /*M!100000 , LOAD_FILE('/etc/hostname') */`,
      waiting: 'SLEEP(10)',
      'work without an end': `BENCHMARK(1000000000, MD5('a'))`,
      'locks that others wait for': `GET_LOCK('a', 1)`,
      'positions of other servers': `MASTER_POS_WAIT('a', 1)`,
      'another query': `(SELECT MAX(User) FROM mysql.user)`,
    },
  },
  Trino: {
    url: process.env['PARQUETRY_TEST_TRINO'],
    sql: 'SELECT name FROM tpch.tiny.region',
    first: 'AFRICA',
    reach: {
      'a text for another database': `(SELECT max(x) FROM TABLE(pg.system.query(query => 'SELECT 1')))`,
      'a model outside': `ai.ai.ai_gen('x')`,
    },
  },
}

describe.each(Object.entries(cases))('user SQL in charts on %s', (title, { url, sql, first, reach }) => {
  describe.skipIf(!url)('when the engine is available', () => {
    const home = mkdtempSync(join(tmpdir(), 'parquetry-guard-'))
    let runners: Runners
    let server: TestServer
    let dataset: number

    beforeAll(async () => {
      runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 128, spillFolder: join(home, 'spill') })
      server = await startTestServer({ runners })
      const made = await server.as('admin').post('/api/v1/database/', { database_name: title, sqlalchemy_uri: url })
      expect(made.statusCode, made.body).toBe(201)
      dataset = await addDataset(made.json<{ id: number }>().id)
    })
    afterAll(async () => {
      await server.close()
      await runners.close(0)
      rmSync(home, { recursive: true, force: true })
    })

    async function addDataset(database: number): Promise<number> {
      const body = { database, table_name: 'names', sql }
      return (await retryUntilStarted(() => server.as('admin').post('/api/v1/dataset/', body))).json<{ id: number }>()
        .id
    }

    const sqlMetric = (sqlExpression: string) => ({ expressionType: 'SQL', sqlExpression, label: 'x' })
    const ask = async (query: object) => {
      const body = {
        datasource: { id: dataset, type: 'table' },
        queries: [{ columns: ['name'], metrics: ['count'], orderby: [['name', true]], ...query }],
      }
      const response = await server.as('admin').post('/api/v1/chart/data', body)
      return `${response.statusCode} ${response.body}`
    }

    it('allows computations', async () => {
      expect(await ask({ metrics: [sqlMetric('MAX(lower(name))')] })).toContain(
        `"name":"${first}","x":"${first.toLowerCase()}"`,
      )
    })

    const places: Record<string, (text: string) => object> = {
      metric: (text) => ({ metrics: [sqlMetric(`MAX(${text})`)] }),
      column: (text) => ({ columns: [{ expressionType: 'SQL', sqlExpression: text, label: 'x' }], orderby: [] }),
      where: (text) => ({ extras: { where: `(${text}) IS NOT NULL` } }),
      having: (text) => ({ extras: { having: `MAX(${text}) IS NOT NULL` } }),
      order: (text) => ({ orderby: [[sqlMetric(`MAX(${text})`), true]] }),
    }
    describe.each(Object.entries(places))('a %s', (_, place) => {
      it.each(Object.entries(reach))('cannot access: %s', async (_what, text) => {
        expect(await ask(place(text))).toMatch(
          /cannot be used here|Custom SQL fields cannot contain sub-queries|Unclosed quote or comment/,
        )
      })
    })

    it.each([
      [`1 = 1) OR (1 = 1`],
      [`name = '\\' OR name <> ') OR (1=1 --'`],
      [`1 = 1 /* /* */ ) OR (1 = 1 /* */ */`],
      [`name = e'\\' ) OR (1=1 --'`],
      [`name = $$ ' $$ ) OR (1=1 -- '`],
      [`1 = 1 // ' \n ) OR (1=1) -- '`],
      [`name = ‘'’) OR (1=1 -- '`],
    ])('cannot leave the parentheses of its clause with a quote or comment: %s', async (where) => {
      const answer = await ask({ filters: [{ col: 'name', op: '==', val: 'nobody' }], extras: { where } })
      expect(answer).not.toContain(`"name":"${first}"`)
    })
  })
})
