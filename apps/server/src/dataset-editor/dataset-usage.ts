import type { DatasetUsage } from '@parquetry/model'
import { sql } from 'kysely'
import { type AccessContext, chartAccess, dashboardAccess, writableCondition } from '../access/access.ts'
import type { StoredDataset } from '../dataset/stored-dataset.ts'
import { and, type Condition } from '../store/conditions.ts'
import { listFilterUsages, listUsingDashboards } from './filter-usage.ts'
import { listChartUsages } from './chart-usage.ts'
import { editorLinks } from '../access/subject-links.ts'
import { labelSubjects } from '../http/subjects.ts'

/** Names of the columns and metrics of a stored dataset. */
export const namesOf = ({ columns, metrics }: Pick<StoredDataset, 'columns' | 'metrics'>) => ({
  columns: new Set(columns.map(({ column_name }) => column_name)),
  metrics: new Set(metrics.map(({ metric_name }) => metric_name)),
})

/** Returns the ids whose rows meet a condition. */
async function filterIds(
  { db }: AccessContext,
  table: 'chart' | 'dashboard',
  ids: readonly number[],
  condition: Condition | undefined,
): Promise<Set<number>> {
  if (!condition) return new Set(ids)
  if (ids.length === 0) return new Set()
  const hasListedId: Condition = sql`${sql.ref(`${table}.id`)} in (${sql.join(ids)})`
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where ${and([hasListedId, condition])}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

const countByName = (names: readonly string[]): Record<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** Names of the users, roles and groups that own each chart. */
async function nameOwners({ db }: AccessContext, charts: readonly number[]): Promise<Map<number, string[]>> {
  const owners = await labelSubjects(db, editorLinks.chart, charts)
  return new Map([...owners].map(([id, subjects]) => [id, subjects.map(({ label }) => label)]))
}

/** Usage of the columns and metrics of a dataset. Charts that the caller may not see are only counted. */
export async function findDatasetUsage(context: AccessContext, stored: StoredDataset): Promise<DatasetUsage> {
  const { db, principal } = context
  const { id } = stored.row
  const names = namesOf(stored)
  const [charts, dashboards] = await Promise.all([listChartUsages(db, id, names), listUsingDashboards(db, id)])
  const chartIds = charts.map(({ row }) => row.id)
  const dashboardIds = dashboards.map((row) => row.id)
  const [visibleCharts, editableCharts, visibleDashboards, editableDashboards] = await Promise.all([
    filterIds(context, 'chart', chartIds, chartAccess(principal)),
    filterIds(context, 'chart', chartIds, writableCondition('chart', ['can_write', 'Chart'], context)),
    filterIds(context, 'dashboard', dashboardIds, dashboardAccess(context)),
    filterIds(context, 'dashboard', dashboardIds, writableCondition('dashboard', ['can_write', 'Dashboard'], context)),
  ])
  // -1 matches no id and keeps the lists valid SQL when they are empty.
  const [owners, links] = await Promise.all([
    nameOwners(context, chartIds),
    db
      .selectFrom('dashboard_chart')
      .select(['dashboard_id', 'chart_id'])
      .where('chart_id', 'in', [...chartIds, -1])
      .execute(),
  ])
  const hidden = charts.filter(({ row }) => !visibleCharts.has(row.id))
  return {
    charts: charts
      .filter(({ row }) => visibleCharts.has(row.id))
      .map(({ row, columns, metrics, mentioned }) => ({
        id: row.id,
        slice_name: row.slice_name,
        viz_type: row.viz_type,
        owners: owners.get(row.id) ?? [],
        may_edit: editableCharts.has(row.id),
        columns,
        metrics,
        mentioned,
      })),
    dashboards: dashboards
      .filter((row) => visibleDashboards.has(row.id))
      .map((row) => ({
        id: row.id,
        title: row.dashboard_title,
        may_edit: editableDashboards.has(row.id),
        charts: links
          .filter(({ dashboard_id, chart_id }) => dashboard_id === row.id && visibleCharts.has(chart_id))
          .map(({ chart_id }) => chart_id),
        filters: listFilterUsages(row, id, names),
      })),
    hidden: {
      charts: hidden.length,
      columns: countByName(hidden.flatMap(({ columns }) => columns)),
      metrics: countByName(hidden.flatMap(({ metrics }) => metrics)),
    },
  }
}
