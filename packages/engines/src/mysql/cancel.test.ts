import { AppError, defaultLimits } from '@parquetry/model'
import { firstRow, readAll } from '@parquetry/testing/sessions'
import mysql2, { type Connection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Session } from '../shared/driver.ts'
import { dialSlowSecond } from '../shared/slow-socket.testing.ts'
import { openTestSession, testServerSettings, testServerUrl } from './testing.ts'

const schema = `cancel_${process.pid}`
const code = (error: unknown) => (error instanceof AppError ? error.code : error)

describe.skipIf(!testServerSettings)('canceling in MySQL', () => {
  /** Holds a lock that blocks every other session. */
  let holder: Connection
  beforeAll(async () => {
    holder = await mysql2.createConnection({ uri: testServerUrl!, rowsAsArray: true })
    await holder.query(`CREATE DATABASE ${schema}`)
    await holder.query(`CREATE TABLE ${schema}.t (a int)`)
    await holder.query(`LOCK TABLES ${schema}.t WRITE`)
  })
  afterAll(async () => {
    await holder.query('UNLOCK TABLES')
    await holder.query(`DROP DATABASE ${schema}`)
    await holder.end()
  })

  const waitFor = async (sessions: number) => {
    const end = performance.now() + 20_000
    const waiting = async () => {
      const [rows] = await holder.query('SHOW PROCESSLIST')
      return (rows as unknown[][]).filter(
        (row) => row[3] === schema && row[4] === 'Query' && !String(row[7]).startsWith('SHOW'),
      )
    }
    while ((await waiting()).length !== sessions)
      if (performance.now() > end) expect.unreachable(`there are not ${sessions} sessions after 20 seconds`)
  }

  it.each([
    ['statement', (session: Session) => readAll(session, 'SELECT * FROM t')],
    ['look at the catalogue', (session: Session) => session.describe({ what: 'estimate', sql: 'SELECT * FROM t' })],
  ])('regression: stops a %s on a server that is slow to connect to', async (_what, ask) => {
    const session = await openTestSession(schema, { dial: dialSlowSecond(testServerSettings!, 1500) })
    const pending = ask(session).catch(code)
    await waitFor(1)
    void session.cancel()
    expect(await pending).toBe('query_stopped')
    await session.close()
    await waitFor(0)
  })

  it('regression: a session stays usable after its reader stops, also on a server that is slow to connect to', async () => {
    const session = await openTestSession(schema, { dial: dialSlowSecond(testServerSettings!, 1500) })
    const text = 'SELECT a.seq FROM seq_1_to_100000 a, seq_1_to_100000 b'
    for await (const _ of session.run({ name: 'x', text, values: [] }, defaultLimits)) break
    expect(await firstRow(session, 'SELECT 1')).toEqual([1])
    await session.close()
  })
})
