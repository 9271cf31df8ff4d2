import { renameFields, type Renames } from '@parquetry/charts'
import { type Kysely, sql, type Transaction } from 'kysely'
import { writableCondition } from '../access/access.ts'
import { readChartDocument } from '../chart/save-chart.ts'
import { readDashboardDocument } from '../dashboard/save-dashboard.ts'
import { parseObject } from '../http/json-body.ts'
import { changedBy, type WriteContext } from '../http/writing.ts'
import { and, type Condition } from '../store/conditions.ts'
import type { Tables } from '../store/tables.ts'
import { record } from '../store/write.ts'
import { type ChartUsage, listChartUsages } from './chart-usage.ts'
import { renameInMetadata, listUsingDashboards } from './filter-usage.ts'

export interface PropagatedRenames {
  charts: number[]
  dashboards: number[]
}

/**
 * Applies renames of columns and metrics to the charts and filters that use them and that the caller may change, each with a
 * version in its history. Those of other users stay unchanged.
 */
export async function propagateRenames(
  trx: Transaction<Tables>,
  context: WriteContext,
  datasetId: number,
  renames: Renames,
): Promise<PropagatedRenames> {
  const { principal, now } = context
  const propagated: PropagatedRenames = { charts: [], dashboards: [] }
  const history = { author: principal.id, now }
  const isWritable = (kind: 'chart' | 'dashboard', id: number) =>
    canBeChanged(
      trx,
      kind,
      id,
      writableCondition(kind, ['can_write', kind === 'chart' ? 'Chart' : 'Dashboard'], context),
    )

  const oldNames = { columns: new Set(renames.columns.keys()), metrics: new Set(renames.metrics.keys()) }
  for (const usage of await listChartUsages(trx, datasetId, oldNames)) {
    const { row } = usage
    const after = renameInChart(usage, renames)
    if (!after || !(await isWritable('chart', row.id))) continue
    const changed = changedBy(principal, now, row)
    await trx
      .updateTable('chart')
      .set({ ...after, ...changed, last_saved_at: changed.changed_on, last_saved_by_fk: principal.id })
      .where('id', '=', row.id)
      .execute()
    const document = () => readChartDocument(trx, row.id)
    await record(trx, { ...history, kind: 'chart', uuid: row.uuid, document }, undefined)
    propagated.charts.push(row.id)
  }
  for (const row of await listUsingDashboards(trx, datasetId)) {
    const json_metadata = renameInMetadata(row, datasetId, renames)
    if (json_metadata === null || !(await isWritable('dashboard', row.id))) continue
    await trx
      .updateTable('dashboard')
      .set({ json_metadata, ...changedBy(principal, now, row) })
      .where('id', '=', row.id)
      .execute()
    const document = () => readDashboardDocument(trx, row.id)
    await record(trx, { ...history, kind: 'dashboard', uuid: row.uuid, document }, undefined)
    propagated.dashboards.push(row.id)
  }
  return propagated
}

async function canBeChanged(
  db: Kysely<Tables>,
  kind: 'chart' | 'dashboard',
  id: number,
  condition: Condition | undefined,
): Promise<boolean> {
  const matchesId: Condition = sql`${sql.ref(`${kind}.id`)} = ${id}`
  const where = condition ? and([matchesId, condition]) : matchesId
  return (await sql`select 1 from ${sql.table(kind)} where ${where}`.execute(db)).rows.length > 0
}

/** Form and query context with new names; null when they contain no renamed names. */
function renameInChart({ row, chart, form }: ChartUsage, renames: Renames) {
  const params = JSON.stringify(renameFields(chart, form, renames))
  const context = parseObject(row.query_context)
  const { queries, form_data } = context
  const isForm = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  const query_context = JSON.stringify({
    ...context,
    ...(Array.isArray(queries) && {
      queries: queries.map((query: unknown) => (isForm(query) ? renameFields(undefined, query, renames) : query)),
    }),
    ...(isForm(form_data) && { form_data: renameFields(chart, form_data, renames) }),
  })
  const hasForm = params !== JSON.stringify(form)
  const hasContext = row.query_context !== null && query_context !== JSON.stringify(context)
  return hasForm || hasContext ? { ...(hasForm && { params }), ...(hasContext && { query_context }) } : null
}
