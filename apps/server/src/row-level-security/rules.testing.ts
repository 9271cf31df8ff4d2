import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { Tables } from '../store/tables.ts'
import { addRuleDatasets } from './rule-tables.ts'

/** Whom a rule names: a role by its name, or a user or group. */
export type TestSubject = string | { user: number } | { group: number }

/** Adds a row-level security rule on a dataset for a subject; a base rule applies to all other users. */
export async function addRowLevelSecurityRule(
  db: Kysely<Tables>,
  dataset_id: number,
  subject: TestSubject,
  clause: string,
  filter_type: 'Regular' | 'Base' = 'Regular',
  group_key: string | null = null,
): Promise<void> {
  const now = '2026-01-01T00:00:00.000'
  const auditFields = { created_on: now, changed_on: now, created_by_fk: null, changed_by_fk: null }
  const { id: row_rule_id } = await db
    .insertInto('row_rule')
    .values({
      ...auditFields,
      uuid: randomUUID(),
      name: `${clause} ${randomUUID()}`,
      description: null,
      filter_type,
      group_key,
      clause,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.transaction().execute((trx) => addRuleDatasets(trx, row_rule_id, [dataset_id]))
  if (typeof subject === 'string') {
    const role = await db.selectFrom('role').select('id').where('name', '=', subject).executeTakeFirstOrThrow()
    await db.insertInto('row_rule_role').values({ row_rule_id, role_id: role.id }).execute()
  } else if ('user' in subject)
    await db.insertInto('row_rule_user').values({ row_rule_id, user_id: subject.user }).execute()
  else await db.insertInto('row_rule_group').values({ row_rule_id, group_id: subject.group }).execute()
}
