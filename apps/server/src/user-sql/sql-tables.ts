import type { Inspection } from '@parquetry/model'
import { listTables } from '@parquetry/sql'

/** The tables that a text reads, as histories and saved queries keep them: JSON text. */
export const serializeSqlTables = (inspection: Inspection): string =>
  JSON.stringify(listTables(inspection).map(({ catalog, schema, name }) => ({ catalog, schema, table: name })))

/** Where nobody has looked yet there are none to tell. */
export const parseSqlTables = ({ sql_tables }: { sql_tables: string | null }): unknown =>
  sql_tables === null ? [] : (JSON.parse(sql_tables) as unknown)
