import type { Socket } from 'node:net'
import { AppError } from '@parquetry/model'
import { readAll } from '@parquetry/testing/sessions'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Session } from '../shared/driver.ts'
import { dialSlowSecond } from '../shared/slow-socket.testing.ts'
import { postgresDriver } from './driver.ts'
import { postgres, type Settings } from './engine.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const settings = url ? (postgres.fromUri(url) as Settings) : null
const table = `public.cancel_${process.pid}`
const code = (error: unknown) => (error instanceof AppError ? error.code : error)

describe.skipIf(!settings)('canceling in PostgreSQL', () => {
  /** Holds a lock that blocks every other session. */
  const holder = new pg.Client({ connectionString: url })
  /** Separate from `holder`, because a transaction sees the same sessions for as long as it lasts. */
  const watcher = new pg.Client({ connectionString: url })
  beforeAll(async () => {
    await watcher.connect()
    await holder.connect()
    await holder.query(`CREATE TABLE ${table} (a int)`)
    await holder.query(`BEGIN; LOCK TABLE ${table}`)
  })
  afterAll(async () => {
    await holder.query(`ROLLBACK; DROP TABLE ${table}`)
    await holder.end()
    await watcher.end()
  })

  const waitFor = async (sessions: number) => {
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%${table}%' AND wait_event_type = 'Lock'`
    const end = performance.now() + 20_000
    while ((await watcher.query(waiting)).rows.length !== sessions)
      if (performance.now() > end) expect.unreachable(`there are not ${sessions} sessions after 20 seconds`)
  }

  it.each([
    ['statement', (session: Session) => readAll(session, `SELECT * FROM ${table}`)],
    [
      'look at the catalogue',
      (session: Session) => session.describe({ what: 'estimate', sql: `SELECT 1 FROM ${table}` }),
    ],
  ])('regression: stops a %s on a server that is slow to connect to', async (_what, ask) => {
    const dial = dialSlowSecond(settings!, 1500)
    const session = await postgresDriver.open(settings!, { schema: null, timeoutMs: 60_000, allowDml: false, dial })
    const pending = ask(session).catch(code)
    await waitFor(1)
    void session.cancel()
    expect(await pending).toBe('query_stopped')
    await session.close()
    await waitFor(0)
  })

  it('regression: a statement of a killed process ends soon, whatever its time limit', async () => {
    let socket: Socket | undefined
    const dial = async () => (socket = await dialSlowSecond(settings!, 0)())
    const session = await postgresDriver.open(settings!, { schema: null, timeoutMs: 60_000, allowDml: false, dial })
    const pending = readAll(session, `SELECT * FROM ${table}`).catch(code)
    await waitFor(1)
    socket?.destroy()
    expect(await pending).toBe('connection_failed')
    await waitFor(0)
  })
})
