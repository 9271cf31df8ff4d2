import { type Kysely, sql, type Transaction } from 'kysely'
import type { DatabaseRow } from '../connection/source.ts'
import { type StoredTableName, tableKey } from '../connection/table-names.ts'
import type { Tables } from '../store/tables.ts'

/** Makes a rule apply to these datasets and to the tables behind them. Must be called for every new link. */
export async function addRuleDatasets(
  trx: Transaction<Tables>,
  row_rule_id: number,
  datasetIds: readonly number[],
): Promise<void> {
  for (const dataset_id of datasetIds) {
    await trx.insertInto('row_rule_dataset').values({ row_rule_id, dataset_id }).execute()
    await recordRuleTables(trx, dataset_id)
  }
}

/** Makes a rule no longer apply to these datasets and to the tables behind them, unless another of its datasets has the table. */
export async function removeRuleDatasets(
  trx: Transaction<Tables>,
  row_rule_id: number,
  datasetIds: readonly number[],
): Promise<void> {
  if (datasetIds.length === 0) return
  await sql`delete from row_rule_table where row_rule_id = ${row_rule_id} and exists (
    select 1 from dataset where dataset.id in (${sql.join([...datasetIds])})
      and dataset.database_id = row_rule_table.database_id and dataset.table_name = row_rule_table.table_name
      and coalesce(dataset."schema", '') = coalesce(row_rule_table."schema", '')
      and coalesce(dataset.catalog, '') = coalesce(row_rule_table.catalog, ''))`.execute(trx)
  await trx
    .deleteFrom('row_rule_dataset')
    .where('row_rule_id', '=', row_rule_id)
    .where('dataset_id', 'in', datasetIds)
    .execute()
  const others = await trx
    .selectFrom('row_rule_dataset')
    .select('dataset_id')
    .where('row_rule_id', '=', row_rule_id)
    .execute()
  for (const { dataset_id } of others) await recordRuleTables(trx, dataset_id)
}

/**
 * Records the table of a dataset for each of its rules. A rule keeps all tables that its datasets ever had, except those of
 * datasets that are removed from the rule, so that it still protects them when a dataset is deleted, moved to the trash or given
 * other SQL. Must be called when a dataset has a new table.
 */
export async function recordRuleTables(trx: Transaction<Tables>, datasetId: number): Promise<void> {
  const dataset = await trx
    .selectFrom('dataset')
    .select(['database_id', 'catalog', 'schema', 'table_name', 'sql'])
    .where('id', '=', datasetId)
    .executeTakeFirst()
  if (!dataset || dataset.sql) return
  const { database_id, catalog, schema, table_name } = dataset
  const table = { database_id, catalog, schema, table_name }
  const rules = await trx
    .selectFrom('row_rule_dataset')
    .select('row_rule_id')
    .where('dataset_id', '=', datasetId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('row_rule_table')
            .select('table_name')
            .whereRef('row_rule_table.row_rule_id', '=', 'row_rule_dataset.row_rule_id')
            .where('database_id', '=', database_id)
            .where('table_name', '=', table_name)
            .where('schema', schema === null ? 'is' : '=', schema)
            .where('catalog', catalog === null ? 'is' : '=', catalog),
        ),
      ),
    )
    .execute()
  if (rules.length > 0)
    await trx
      .insertInto('row_rule_table')
      .values(rules.map(({ row_rule_id }) => ({ row_rule_id, ...table })))
      .execute()
}

/** Makes all rules of a table hold for its new name as well. Must be called before the table is renamed. */
export async function extendRulesToName(
  db: Kysely<Tables>,
  database: DatabaseRow,
  table: StoredTableName,
  newName: string,
): Promise<void> {
  const key = tableKey(database, table)
  const ruled = await db.selectFrom('row_rule_table').selectAll().where('database_id', '=', database.id).execute()
  const rules = ruled.filter((row) => tableKey(database, row) === key)
  if (rules.length > 0)
    await db
      .insertInto('row_rule_table')
      .values(rules.map((row) => ({ ...row, table_name: newName })))
      .execute()
}
