import { sql } from 'kysely'
import type { Migration } from '../columns.ts'

interface RuleTable {
  row_rule_id: number
  database_id: number
  catalog: string | null
  schema: string | null
  table_name: string
}

/** The tables that row-level security rules protect, which outlive their datasets; those of datasets in the trash included. */
export const tablesOfRules: Migration = async (db, { integer }) => {
  await db.schema
    .createTable('row_rule_table')
    .addColumn('row_rule_id', integer, (column) => column.notNull().references('row_rule.id').onDelete('cascade'))
    .addColumn('database_id', integer, (column) => column.notNull().references('database.id').onDelete('cascade'))
    .addColumn('catalog', 'text')
    .addColumn('schema', 'text')
    .addColumn('table_name', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('row_rule_table_database').on('row_rule_table').columns(['database_id']).execute()
  await db.schema.createIndex('row_rule_table_rule').on('row_rule_table').columns(['row_rule_id']).execute()
  const linked = await sql<RuleTable>`select row_rule_id, database_id, catalog, schema, table_name
    from row_rule_dataset join dataset on dataset.id = dataset_id where coalesce(sql, '') = ''`.execute(db)
  const trashed = await sql<{ document: string }>`select document from trash where kind = 'dataset'`.execute(db)
  const rules = await sql<{ id: number }>`select id from row_rule`.execute(db)
  const databases = await sql<{ id: number }>`select id from "database"`.execute(db)
  const ruleIds = new Set(rules.rows.map(({ id }) => id))
  const databaseIds = new Set(databases.rows.map(({ id }) => id))
  const found = [...linked.rows, ...trashed.rows.flatMap(({ document }) => readTrashed(document))]
  const tables = new Map(
    found
      .filter(({ row_rule_id, database_id }) => ruleIds.has(row_rule_id) && databaseIds.has(database_id))
      .map((table) => [JSON.stringify(Object.values(table)), table]),
  )
  for (const { row_rule_id, database_id, catalog, schema, table_name } of tables.values())
    await sql`insert into row_rule_table (row_rule_id, database_id, catalog, schema, table_name)
      values (${row_rule_id}, ${database_id}, ${catalog}, ${schema}, ${table_name})`.execute(db)
}

/** A dataset in the trash, with the links to its rules. */
interface TrashedDataset {
  row: Omit<RuleTable, 'row_rule_id'> & { sql?: string | null }
  hanging: { row_rule_dataset?: { row_rule_id: number }[] }
}

function readTrashed(document: string): RuleTable[] {
  const { row, hanging } = JSON.parse(document) as TrashedDataset
  if (row.sql) return []
  const { database_id, catalog, schema, table_name } = row
  return (hanging.row_rule_dataset ?? []).map(({ row_rule_id }) => ({
    row_rule_id,
    database_id,
    catalog,
    schema,
    table_name,
  }))
}
