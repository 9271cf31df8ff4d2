import type { RowRule } from '@parquetry/query'
import type { Kysely } from 'kysely'
import type { Principal } from '../http/principal.ts'
import type { Tables } from '../store/tables.ts'

/**
 * The row rules that hold for this principal on a dataset: regular ones for holders of one of
 * their roles, base ones for everybody but the holders.
 */
export async function rowRulesFor(db: Kysely<Tables>, principal: Principal, datasetId: number): Promise<RowRule[]> {
  const rules = await db
    .selectFrom('row_rule')
    .innerJoin('row_rule_dataset', 'row_rule_dataset.row_rule_id', 'row_rule.id')
    .select(['row_rule.id', 'row_rule.group_key', 'row_rule.clause', 'row_rule.filter_type'])
    .where('row_rule_dataset.dataset_id', '=', datasetId)
    .orderBy('row_rule.id')
    .execute()
  if (rules.length === 0) return []
  const held = new Set(principal.roles.map(({ id }) => id))
  const links = await db
    .selectFrom('row_rule_role')
    .selectAll()
    .where(
      'row_rule_id',
      'in',
      rules.map(({ id }) => id),
    )
    .execute()
  const isHolder = (rule: number): boolean =>
    links.some(({ row_rule_id, role_id }) => row_rule_id === rule && held.has(role_id))
  return rules
    .filter(({ id, filter_type }) => isHolder(id) === (filter_type === 'Regular'))
    .map(({ group_key, clause }) => ({ group_key, clause }))
}
