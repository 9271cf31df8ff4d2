import { AppError } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import { and, type Condition } from '../store/conditions.ts'
import { accessConditions } from '../http/resource.ts'
import type { AccessContext } from '../access/access.ts'
import { type DashboardRow, dashboardResource } from './dashboard-resource.ts'

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Slugs are chosen by users, so a slug that equals the uuid of another dashboard is ignored. */
function isNamed(name: string): Condition {
  if (/^\d{1,15}$/.test(name)) return sql<SqlBool>`dashboard.id = ${Number(name)}`
  if (uuid.test(name))
    return sql<SqlBool>`(dashboard.uuid = ${name.toLowerCase()} or (dashboard.slug = ${name}
      and not exists (select 1 from dashboard as named where named.uuid = ${name.toLowerCase()})))`
  return sql<SqlBool>`dashboard.slug = ${name}`
}

/**
 * Finds the dashboard of an id, uuid or slug, if the caller may see it.
 * @throws AppError `not_found`, the same for missing and invisible
 */
export async function findDashboard(
  context: AccessContext,
  name: string,
  notFound = new AppError('not_found'),
): Promise<DashboardRow> {
  const where = and([isNamed(name), ...accessConditions(dashboardResource, context)])
  const { rows } = await sql<DashboardRow>`select dashboard.* from dashboard where ${where}`.execute(context.db)
  const [row] = rows
  if (!row) throw notFound
  return row
}
