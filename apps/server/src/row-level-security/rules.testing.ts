import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { Tables } from '../store/tables.ts'
import { addRuleDatasets } from './rule-tables.ts'

/** Adds a row-level security rule on a dataset for the named role; a base rule applies to all other users. */
export async function addRowLevelSecurityRule(
  db: Kysely<Tables>,
  dataset_id: number,
  roleName: string,
  clause: string,
  filter_type: 'Regular' | 'Base' = 'Regular',
  group_key: string | null = null,
): Promise<void> {
  const at = '2026-01-01T00:00:00.000'
  const by = { created_on: at, changed_on: at, created_by_fk: null, changed_by_fk: null }
  const { id: row_rule_id } = await db
    .insertInto('row_rule')
    .values({ ...by, name: `${clause} ${randomUUID()}`, description: null, filter_type, group_key, clause })
    .returning('id')
    .executeTakeFirstOrThrow()
  const role = await db.selectFrom('role').select('id').where('name', '=', roleName).executeTakeFirstOrThrow()
  await db.transaction().execute((trx) => addRuleDatasets(trx, row_rule_id, [dataset_id]))
  await db.insertInto('row_rule_role').values({ row_rule_id, role_id: role.id }).execute()
}
