import { type Kysely, sql, type SqlBool } from 'kysely'
import { and, type Condition } from '../store/conditions.ts'
import { type AccessContext, chartAccess, dashboardAccess } from '../access/access.ts'
import type { Tables } from '../store/tables.ts'

interface RelatedChart {
  id: number
  slice_name: string
  viz_type: string
}

const withAccess = (condition: Condition, access: Condition | undefined): Condition =>
  and(access ? [condition, access] : [condition])

async function fetchCharts(db: Kysely<Tables>, where: Condition): Promise<RelatedChart[]> {
  return (await sql<RelatedChart>`select id, slice_name, viz_type from chart where ${where} order by id`.execute(db))
    .rows
}

/**
 * Charts and dashboards that depend on datasets, as the API lists them before a deletion. Objects that the caller may not see are
 * only counted: deleting would break them as well.
 * @param datasets  ids, as a list or a subquery
 */
export async function findRelatedObjects(context: AccessContext, datasets: Condition) {
  const { db, principal } = context
  const onChart = sql<SqlBool>`chart.datasource_id in (select dataset.id from dataset where ${datasets})`
  const onDashboard = sql<SqlBool>`dashboard.id in (select shown.dashboard_id from dashboard_chart as shown
    join chart on chart.id = shown.chart_id where ${onChart})`
  const count = async (table: 'chart' | 'dashboard', where: Condition): Promise<number> =>
    Number(
      (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where ${where}`.execute(db)).rows[0]?.n ??
        0,
    )
  const dashboards = await sql<{
    id: number
    dashboard_title: string | null
    slug: string | null
    json_metadata: string | null
  }>`
    select id, dashboard_title, slug, json_metadata from dashboard
    where ${withAccess(onDashboard, dashboardAccess(context))} order by id`.execute(db)
  return {
    charts: {
      count: await count('chart', onChart),
      result: await fetchCharts(db, withAccess(onChart, chartAccess(principal))),
    },
    dashboards: {
      count: await count('dashboard', onDashboard),
      result: dashboards.rows.map(({ id, dashboard_title, slug, json_metadata }) => ({
        id,
        title: dashboard_title,
        slug,
        json_metadata,
      })),
    },
  }
}
