import { findRoleGrants, authorizeRoleGrants } from '../access/role-grants.ts'
import { chartResource } from '../chart/chart-resource.ts'
import type { DashboardRow } from '../dashboard/dashboard-resource.ts'
import { readDashboardDocument, refuseTooManyCharts } from '../dashboard/save-dashboard.ts'
import { visibleRows } from '../http/resource.ts'
import { authorizeChange, changedBy, type WriteContext } from '../http/writing.ts'
import { change } from '../store/write.ts'

/**
 * Adds charts to a dashboard without a place in its layout: they are shown below it. Charts that are on it already stay.
 * @throws AppError `not_found` when a chart is missing or invisible, or none is named; `invalid_payload` for too many charts
 */
export async function addCharts(context: WriteContext, row: DashboardRow, chartIds: readonly number[]): Promise<void> {
  const { db, principal, now, event } = context
  const { id, uuid } = row
  await authorizeChange(context, ['can_write', 'Dashboard'], { kind: 'dashboard', id })
  const charts = await visibleRows(chartResource, chartIds, context)
  event.dashboard_id = id
  const history = { kind: 'dashboard', uuid, author: principal.id, event, now }
  await change(db, { ...history, document: (trx) => readDashboardDocument(trx, id) }, async (trx) => {
    const grants = await findRoleGrants(trx, principal, [id])
    const values = charts.map((chart) => ({ dashboard_id: id, chart_id: chart.id }))
    await trx
      .insertInto('dashboard_chart')
      .values(values)
      .onConflict((conflict) => conflict.columns(['dashboard_id', 'chart_id']).doNothing())
      .execute()
    const { count } = await trx
      .selectFrom('dashboard_chart')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('dashboard_id', '=', id)
      .executeTakeFirstOrThrow()
    refuseTooManyCharts(Number(count), 'slice_ids')
    await trx
      .updateTable('dashboard')
      .set(changedBy(principal, now, row))
      .where('id', '=', id)
      .execute()
    await authorizeRoleGrants(trx, principal, [id], grants)
  })
}
