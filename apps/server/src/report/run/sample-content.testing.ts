import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { ContentRequest } from '../../picture/report-content.ts'
import type { Tables } from '../../store/tables.ts'

export const chartName = (target: ContentRequest['target']): string =>
  'chart' in target ? (target.chart.slice_name ?? '') : (target.dashboard.dashboard_title ?? '')

/** Adds a dashboard without charts that all users may see, and returns its id. */
export async function addDashboard(db: Kysely<Tables>, title: string): Promise<number> {
  const at = '2026-01-01T00:00:00.000'
  const { id } = await db
    .insertInto('dashboard')
    .values({
      uuid: randomUUID(),
      dashboard_title: title,
      published: 1,
      is_managed_externally: 0,
      created_on: at,
      changed_on: at,
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const users = await db.selectFrom('user').select('id').execute()
  await db
    .insertInto('dashboard_owner')
    .values(users.map((user) => ({ dashboard_id: id, user_id: user.id })))
    .execute()
  return id
}
