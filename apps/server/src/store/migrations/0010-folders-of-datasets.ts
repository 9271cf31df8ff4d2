import type { Migration } from '../columns.ts'

/** Folders of a dataset's columns and metrics as JSON text; null when there are none. */
export const foldersOfDatasets: Migration = async (db) => {
  await db.schema.alterTable('dataset').addColumn('folders', 'text').execute()
}
