import type { RowLevelSecurityRule } from '@parquetry/query'
import type { Kysely } from 'kysely'
import type { Principal } from './principal.ts'
import type { Tables } from '../store/tables.ts'

/**
 * Returns the row-level security rules that apply to a principal on a dataset: regular ones of their roles, base ones unless they
 * hold an exempt role, and those of a guest token.
 */
export async function loadRlsRules(
  db: Kysely<Tables>,
  principal: Principal,
  datasetId: number,
): Promise<RowLevelSecurityRule[]> {
  return [...(await storedRules(db, principal, datasetId)), ...guestRules(principal, datasetId)]
}

const guestRules = ({ guest }: Principal, datasetId: number): RowLevelSecurityRule[] =>
  (guest?.rlsRules ?? [])
    .filter(({ dataset }) => dataset === null || dataset === datasetId)
    .map(({ clause }) => ({ group_key: null, clause }))

async function storedRules(
  db: Kysely<Tables>,
  principal: Principal,
  datasetId: number,
): Promise<RowLevelSecurityRule[]> {
  const rules = await db
    .selectFrom('row_rule')
    .innerJoin('row_rule_dataset', 'row_rule_dataset.row_rule_id', 'row_rule.id')
    .select(['row_rule.id', 'row_rule.group_key', 'row_rule.clause', 'row_rule.filter_type'])
    .where('row_rule_dataset.dataset_id', '=', datasetId)
    .orderBy('row_rule.id')
    .execute()
  if (rules.length === 0) return []
  const roleIds = new Set(principal.roles.map(({ id }) => id))
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
    links.some(({ row_rule_id, role_id }) => row_rule_id === rule && roleIds.has(role_id))
  return rules
    .filter(({ id, filter_type }) => isHolder(id) === (filter_type === 'Regular'))
    .map(({ group_key, clause }) => ({ group_key, clause }))
}

/**
 * Physical datasets of a database with a row-level security rule of any role, or one for this guest. Whether a rule applies to the
 * principal is decided by `loadRlsRules`.
 */
export const findTablesWithRules = (db: Kysely<Tables>, { guest }: Principal, databaseId: number) =>
  db
    .selectFrom('dataset')
    .leftJoin('row_rule_dataset', 'row_rule_dataset.dataset_id', 'dataset.id')
    .select(['dataset.id', 'table_name', 'schema'])
    .distinct()
    .where('database_id', '=', databaseId)
    .where((eb) => eb.or([eb('sql', 'is', null), eb('sql', '=', '')]))
    .where((eb) =>
      eb.or([
        eb('row_rule_dataset.row_rule_id', 'is not', null),
        ...(guest?.rlsRules ?? []).map(({ dataset }) =>
          dataset === null ? eb('dataset.id', 'is not', null) : eb('dataset.id', '=', dataset),
        ),
      ]),
    )
    .execute()
