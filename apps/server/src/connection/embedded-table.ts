import type { EmbeddedTable } from '@parquetry/model'
import type { Selectable } from 'kysely'
import type { EmbeddedTableTable } from '../store/tables.ts'

/** File of a user's table. Names are generated, never taken from a user's file or table. */
export const tableFileName = (uuid: string): string => `upload-${uuid}.duckdb`

/** Converts a table of an embedded database to its stored row. */
export const embeddedRow = (database_id: number, { name, file, version, format, table }: EmbeddedTable) => ({
  database_id,
  name,
  file,
  version,
  format,
  inner_table: table,
})

/** The reverse of `embeddedRow`. */
export const embeddedTable = ({
  name,
  file,
  version,
  format,
  inner_table,
}: Pick<Selectable<EmbeddedTableTable>, 'name' | 'file' | 'version' | 'format' | 'inner_table'>): EmbeddedTable => ({
  name,
  file,
  version,
  format: format as EmbeddedTable['format'],
  table: inner_table,
})
