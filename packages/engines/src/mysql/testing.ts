import mysql2 from 'mysql2/promise'
import type { Session, SessionContext } from '../shared/driver.ts'
import { mysqlDriver } from './driver.ts'
import { mysql, type Settings } from './engine.ts'

/** The server that the tests ask; null where there is none. */
export const url = process.env['PARQUETRY_TEST_MYSQL']
export const settings = url ? (mysql.fromUri(url) as Settings) : null

export const openAt = (
  schema: string,
  context: Partial<SessionContext> = {},
  own: Partial<Settings> = {},
): Promise<Session> =>
  mysqlDriver.open({ ...settings!, ...own }, { schema, timeoutMs: 30_000, allowDml: false, ...context })

/** Runs statements beside the driver. @returns the rows of each */
export async function admin(...statements: [sql: string, values?: unknown[]][]): Promise<unknown[][][]> {
  const client = await mysql2.createConnection({ uri: url!, rowsAsArray: true, charset: 'utf8mb4' })
  try {
    const answers: unknown[][][] = []
    for (const [sql, values] of statements) answers.push((await client.query(sql, values))[0] as unknown as unknown[][])
    return answers
  } finally {
    await client.end()
  }
}
