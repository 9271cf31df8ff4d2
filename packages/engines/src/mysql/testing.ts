import mysql2 from 'mysql2/promise'
import type { Session, SessionContext } from '../shared/driver.ts'
import { mysqlDriver } from './driver.ts'
import { mysql, type Settings } from './engine.ts'

/** The server used by the tests; undefined if there is none. */
export const testServerUrl = process.env['PARQUETRY_TEST_MYSQL']
export const testServerSettings = testServerUrl ? (mysql.fromUri(testServerUrl) as Settings) : null

export const openTestSession = (
  schema: string,
  context: Partial<SessionContext> = {},
  own: Partial<Settings> = {},
): Promise<Session> =>
  mysqlDriver.open({ ...testServerSettings!, ...own }, { schema, timeoutMs: 30_000, allowDml: false, ...context })

/** Runs statements without the driver. @returns the rows of each */
export async function runAsAdmin(...statements: [sql: string, values?: unknown[]][]): Promise<unknown[][][]> {
  const client = await mysql2.createConnection({ uri: testServerUrl!, rowsAsArray: true, charset: 'utf8mb4' })
  try {
    const answers: unknown[][][] = []
    for (const [sql, values] of statements) answers.push((await client.query(sql, values))[0] as unknown as unknown[][])
    return answers
  } finally {
    await client.end()
  }
}
