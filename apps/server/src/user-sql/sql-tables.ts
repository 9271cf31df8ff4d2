import type { Inspection } from '@parquetry/model'
import { listTables } from '@parquetry/sql'

/** Tables that SQL reads, as JSON text for the history and saved queries. */
export const serializeSqlTables = (inspection: Inspection): string =>
  JSON.stringify(listTables(inspection).map(({ catalog, schema, name }) => ({ catalog, schema, table: name })))

/** Empty when the tables have not been determined. */
export const parseSqlTables = ({ sql_tables }: { sql_tables: string | null }): unknown =>
  sql_tables === null ? [] : (JSON.parse(sql_tables) as unknown)
