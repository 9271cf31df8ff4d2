import type { Connection } from 'mysql2'
import { ask } from './client.ts'
import { mysqlNames } from './known-names.ts'

/** Functions that a text may call by name: MariaDB lists its own, of MySQL they are those of its manual. */
export async function functions(client: Connection): Promise<string[]> {
  const own = await ask(
    client,
    `SELECT TABLE_NAME FROM information_schema.TABLES
     WHERE TABLE_SCHEMA = 'information_schema' AND TABLE_NAME = 'SQL_FUNCTIONS'`,
  )
  const listed = own.length > 0 ? await ask(client, 'SELECT `FUNCTION` FROM information_schema.SQL_FUNCTIONS') : []
  const stored = await ask(
    client,
    `SELECT ROUTINE_NAME FROM information_schema.ROUTINES
     WHERE ROUTINE_SCHEMA = DATABASE() AND ROUTINE_TYPE = 'FUNCTION'`,
  )
  const names = [...listed, ...stored].map(([name]) => String(name)).filter((name) => /^\w+$/.test(name))
  return [...new Set([...names, ...mysqlNames].map((name) => name.toLowerCase()))].toSorted()
}
