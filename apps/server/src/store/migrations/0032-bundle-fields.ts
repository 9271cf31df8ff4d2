import type { Migration } from '../columns.ts'

const tables = [
  'theme',
  'css_template',
  'annotation_layer',
  'database',
  'dataset',
  'dataset_column',
  'dataset_metric',
  'chart',
  'dashboard',
  'saved_query',
]

/** Fields of imported documents that the product does not know, as JSON text. */
export const bundleFields: Migration = async (db) => {
  for (const table of tables) await db.schema.alterTable(table).addColumn('other_fields', 'text').execute()
}
