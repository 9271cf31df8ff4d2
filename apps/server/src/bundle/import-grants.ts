import type { Transaction } from 'kysely'
import { authorizeChartGrants, findChartGrants } from '../access/chart-grants.ts'
import type { Principal } from '../access/principal.ts'
import { authorizeRoleGrants, findRoleGrants } from '../access/role-grants.ts'
import type { Tables } from '../store/tables.ts'
import type { ImportPlan } from './import-plan.ts'

/**
 * Finds what the charts and dashboards of a plan open to others before they are written.
 * @returns tests afterwards, with the ids by path, that the importer may give the access that has been added
 */
export async function findGrants(
  db: Transaction<Tables>,
  principal: Principal,
  { objects }: ImportPlan,
): Promise<(ids: ReadonlyMap<string, number>) => Promise<void>> {
  const replaced = (kind: 'chart' | 'dashboard') =>
    objects.flatMap((object) =>
      object.kind === kind && object.action === 'replace' && object.stored ? [object.stored.id] : [],
    )
  const affected = await findAffectedDashboards(db, replaced('dashboard'), replaced('chart'))
  const grants = await findRoleGrants(db, principal, affected)
  const chartGrants = await findChartGrants(db, { principal }, replaced('chart'))
  return async (ids) => {
    const written = (kind: 'chart' | 'dashboard') =>
      objects.flatMap((object) =>
        object.kind === kind && (object.action === 'create' || object.action === 'replace')
          ? (ids.get(object.path) ?? [])
          : [],
      )
    await authorizeRoleGrants(db, principal, [...new Set([...affected, ...written('dashboard')])], grants)
    await authorizeChartGrants(db, { principal }, written('chart'), chartGrants)
  }
}

/** Dashboards that the bundle replaces, and those that show a chart it replaces. */
async function findAffectedDashboards(
  db: Transaction<Tables>,
  dashboards: readonly number[],
  charts: readonly number[],
): Promise<number[]> {
  if (charts.length === 0) return [...dashboards]
  const showing = await db
    .selectFrom('dashboard_chart')
    .select('dashboard_id')
    .distinct()
    .where('chart_id', 'in', charts)
    .execute()
  return [...new Set([...dashboards, ...showing.map(({ dashboard_id }) => dashboard_id)])]
}
