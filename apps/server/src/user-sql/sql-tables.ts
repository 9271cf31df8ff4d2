import type { Inspection } from '@parquetry/model'
import { tablesRead } from '@parquetry/sql'

/** The tables that a text reads, as histories and saved queries keep them: JSON text. */
export const sqlTablesText = (inspection: Inspection): string =>
  JSON.stringify(tablesRead(inspection).map(({ catalog, schema, name }) => ({ catalog, schema, table: name })))

/** Where nobody has looked yet there are none to tell. */
export const sqlTablesOf = ({ sql_tables }: { sql_tables: string | null }): unknown =>
  sql_tables === null ? [] : (JSON.parse(sql_tables) as unknown)
