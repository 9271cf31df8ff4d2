import type { Statement } from '@parquetry/model'
import { defaultLimits } from '@parquetry/model'
import { errorCodeOf, firstRow, readAll, withOpenSession } from '@parquetry/testing/sessions'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TempTable, Session, SessionContext } from '../shared/driver.ts'
import { postgresDriver } from './driver.ts'
import { postgres, type Settings } from './engine.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const settings = url ? (postgres.fromUri(url) as Settings) : null
const schema = `own_${process.pid}`

const open = (context: Partial<SessionContext> = {}, own: Partial<Settings> = {}): Promise<Session> =>
  postgresDriver.open({ ...settings!, ...own }, { schema, timeoutMs: 30_000, allowDml: false, ...context })

async function admin(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}

const statement = (text: string, values: Statement['values'] = []): Statement => ({ name: 'level', text, values })
const make = (session: Session, text: string, own: Partial<TempTable> = {}, rows = 1000) =>
  session.createTempTable!({ name: 'own', statement: statement(text), types: {}, ...own }, { ...defaultLimits, rows })

describe.skipIf(!settings)('temporary table of a PostgreSQL session', () => {
  beforeAll(() =>
    admin(
      `CREATE SCHEMA ${schema}`,
      `CREATE TABLE ${schema}.sales AS SELECT i % 3 AS shop, i AS amount FROM generate_series(1, 30) AS i`,
      `CREATE TABLE ${schema}.noted (note text)`,
      `CREATE FUNCTION ${schema}.note() RETURNS text LANGUAGE sql AS $$ INSERT INTO ${schema}.noted VALUES ('x') RETURNING note $$`,
      // Declared immutable, so that it may be evaluated in advance.
      `CREATE FUNCTION ${schema}.seen() RETURNS text IMMUTABLE LANGUAGE plpgsql
         AS $$ BEGIN RETURN current_setting('transaction_read_only'); END $$`,
      `CREATE COLLATION ${schema}.loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
    ),
  )
  afterAll(() => admin(`DROP SCHEMA ${schema} CASCADE`))

  const sums = 'SELECT shop, SUM(amount) AS total FROM sales GROUP BY shop'

  it.each([true, false])(
    'contains the result of a statement and can be read by later ones (may write: %s)',
    async (allowDml) => {
      await withOpenSession(open({ allowDml }), async (session) => {
        const bound = { statement: statement('SELECT shop FROM sales WHERE shop = $1::bigint GROUP BY shop', [2]) }
        expect(await make(session, '', bound)).toBe(1)
        expect(await firstRow(session, 'SELECT shop FROM own')).toEqual([2])
      })
    },
  )

  it('contains at most one row more than the limit', async () => {
    await withOpenSession(open(), async (session) =>
      expect(await make(session, 'SELECT amount FROM sales', {}, 7)).toBe(8),
    )
  })

  it('evaluates nothing of the statement while the transaction can write', async () => {
    await withOpenSession(open(), async (session) => {
      await make(session, `SELECT seen() AS a, current_setting('transaction_read_only') AS b`)
      expect(await firstRow(session, 'SELECT a, b FROM own')).toEqual(['on', 'on'])
    })
    await withOpenSession(open(), (session) =>
      expect(make(session, 'SELECT note() AS n').catch(errorCodeOf)).resolves.toBe('dml_not_allowed'),
    )
    for (const text of ['SELECT 1 AS a; DROP TABLE sales', 'WITH d AS (DELETE FROM sales RETURNING *) SELECT * FROM d'])
      await withOpenSession(open(), (session) =>
        expect(make(session, text).catch(errorCodeOf)).resolves.toMatch(/syntax_error|query_failed/),
      )
    await withOpenSession(open(), async (session) =>
      expect(
        await firstRow(session, 'SELECT (SELECT count(*) FROM sales)::int, (SELECT count(*) FROM noted)::int'),
      ).toEqual([30, 0]),
    )
  })

  it('leaves the session read-only', async () => {
    for (const [text, code] of [
      ['DELETE FROM sales', 'dml_not_allowed'],
      ['CREATE TEMP TABLE more (a int)', 'dml_not_allowed'],
      [`SELECT set_config('transaction_read_only', 'off', false)`, 'query_failed'],
      ['SET TRANSACTION READ WRITE', 'query_failed'],
      ['COMMIT', 'sql_not_allowed'],
    ])
      await withOpenSession(open(), async (session) => {
        await make(session, sums)
        await expect(readAll(session, text!).catch(errorCodeOf), text).resolves.toBe(code)
      })
  })

  it('survives a statement that fails, and blocks all other statements if it could not be created', async () => {
    await withOpenSession(open(), async (session) => {
      await make(session, sums)
      for (const text of ['SELECT 1 / 0', 'SELECT nothing FROM own', 'DELETE FROM sales'])
        await readAll(session, text).catch(() => {})
      expect(await firstRow(session, 'SELECT count(*)::int FROM own')).toEqual([3])
    })
    await withOpenSession(open(), async (session) => {
      await make(session, 'SELECT nothing FROM sales').catch(() => {})
      await expect(readAll(session, 'SELECT 1').catch(errorCodeOf)).resolves.toBe('sql_not_allowed')
    })
  })

  it('leaves nothing behind for the next session on the same connection', async () => {
    const pid = 'SELECT pg_backend_pid() AS pid'
    const before = await withOpenSession(open(), async (session) => {
      await make(session, sums)
      return firstRow(session, pid)
    })
    await withOpenSession(open(), async (session) => {
      expect(await firstRow(session, pid)).toEqual(before)
      await expect(readAll(session, 'SELECT * FROM own').catch(errorCodeOf)).resolves.toBe('table_missing')
    })
    await withOpenSession(open(), (session) =>
      expect(firstRow(session, `SELECT count(*)::int FROM pg_class WHERE relname = 'own'`)).resolves.toEqual([0]),
    )
  })

  it('is rejected when its columns have other types than expected', async () => {
    const createTable = (text: string, types: Record<string, string>) =>
      withOpenSession(open(), (session) => make(session, text, { types }).then(() => 'made', errorCodeOf))
    expect(await createTable(sums, { shop: 'integer', total: 'bigint' })).toBe('made')
    expect(await createTable(sums, { total: 'numeric' })).toBe('conflict')
    expect(await createTable(sums, { nothing: 'bigint' })).toBe('conflict')
    const sized = `SELECT 'a'::varchar(3) AS v, 1::numeric(5, 2) AS n, now()::timestamp(3) AS t, 'a'::char(2) AS c`
    const types = { v: 'character varying', n: 'numeric', t: 'timestamp without time zone', c: 'character' }
    expect(await createTable(sized, types)).toBe('made')
    expect(await createTable(`SELECT 'a'::bpchar AS c`, { c: 'character' })).toBe('conflict')
    expect(await createTable(`SELECT 'a' COLLATE "C" AS c`, { c: 'text' })).toBe('made')
    expect(await createTable(`SELECT 'a' COLLATE loose AS c`, { c: 'text' })).toBe('conflict')
  })

  it('is stopped by a cancel while its columns or its rows are created', async () => {
    // Separate clients, because a transaction sees the same sessions for as long as it lasts.
    const [holder, watcher] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })]
    await Promise.all([holder.connect(), watcher.connect()])
    const cancelled = async (text: string) => {
      const session = await open()
      const pending = make(session, text).catch(errorCodeOf)
      await expect
        .poll(() =>
          watcher
            .query(
              `SELECT 1 FROM pg_stat_activity WHERE query LIKE $1 AND state = 'active' AND pid <> pg_backend_pid()`,
              [`%${text}%`],
            )
            .then(({ rows }) => rows.length),
        )
        .toBe(1)
      await session.cancel()
      await session.close()
      return pending
    }
    try {
      expect(await cancelled('SELECT pg_sleep(20)::text AS a')).toBe('query_stopped')
      await holder.query(`BEGIN; LOCK TABLE ${schema}.sales`)
      expect(await cancelled('SELECT 7 AS seven FROM sales')).toBe('query_stopped')
    } finally {
      await Promise.all([holder.end(), watcher.end()])
    }
  })

  it('stops at the time limit of its session', async () => {
    await withOpenSession(open({ timeoutMs: 200 }), (session) =>
      expect(make(session, 'SELECT pg_sleep(10)::text AS a').catch(errorCodeOf)).resolves.toBe('query_timeout'),
    )
  })

  it('fails with unsupported for an account that may not create temporary tables', async () => {
    const name = `poor_${process.pid}`
    await admin(`CREATE ROLE ${name} LOGIN PASSWORD 'x'`, `CREATE DATABASE ${name}`)
    await admin(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`)
    try {
      const pending = withOpenSession(
        open({ schema: null }, { database: name, username: name, password: 'x' }),
        (session) => make(session, 'SELECT 1 AS a').catch(errorCodeOf),
      )
      await expect(pending).resolves.toBe('unsupported')
    } finally {
      await admin(`DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${name}`)
    }
  })
})
