import type { Transaction } from 'kysely'
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

/**
 * Records the table of a dataset for each of its rules. A rule keeps all tables that its datasets ever had, so that it still
 * protects them when a dataset is deleted, moved to the trash or given other SQL. Must be called when a dataset has a new table.
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
