import type { Connection } from 'mysql2'
import { queryMysql } from './client.ts'
import { mysqlFunctionNames } from './safe-names.ts'

/** Functions that can be called by name: MariaDB lists its own, those of MySQL are from its manual. */
export async function listMysqlFunctions(client: Connection): Promise<string[]> {
  const own = await queryMysql(
    client,
    `SELECT TABLE_NAME FROM information_schema.TABLES
     WHERE TABLE_SCHEMA = 'information_schema' AND TABLE_NAME = 'SQL_FUNCTIONS'`,
  )
  const listed =
    own.length > 0 ? await queryMysql(client, 'SELECT `FUNCTION` FROM information_schema.SQL_FUNCTIONS') : []
  const stored = await queryMysql(
    client,
    `SELECT ROUTINE_NAME FROM information_schema.ROUTINES
     WHERE ROUTINE_SCHEMA = DATABASE() AND ROUTINE_TYPE = 'FUNCTION'`,
  )
  const names = [...listed, ...stored].map(([name]) => String(name)).filter((name) => /^\w+$/.test(name))
  return [...new Set([...names, ...mysqlFunctionNames].map((name) => name.toLowerCase()))].toSorted()
}
