import { readNativeFilters, type NativeFilter } from '@parquetry/model'
import {
  isFilterOnDataset,
  findFilterFields,
  renameFilterFields,
  type KnownNames,
  type Renames,
} from '@parquetry/charts'
import { type Kysely, type Selectable, sql, type SqlBool } from 'kysely'
import { parseObject } from '../http/json-body.ts'
import type { DashboardTable, Tables } from '../store/tables.ts'

export type DashboardUsageRow = Pick<
  Selectable<DashboardTable>,
  'id' | 'uuid' | 'dashboard_title' | 'json_metadata' | 'changed_on'
>

/** Columns and metrics that a dashboard filter uses from the dataset of its values. */
export interface FilterUsage {
  name: string
  columns: string[]
  metrics: string[]
}

/** Dashboards that show charts of a dataset or filter by it, regardless of who may see them. */
export async function listUsingDashboards(db: Kysely<Tables>, datasetId: number): Promise<DashboardUsageRow[]> {
  const rows = await db
    .selectFrom('dashboard')
    .select(['id', 'uuid', 'dashboard_title', 'json_metadata', 'changed_on'])
    .where(
      sql<SqlBool>`(json_metadata like ${`%"datasetId":${datasetId}%`} or json_metadata like ${`%"datasetId": ${datasetId}%`}
        or exists (select 1 from dashboard_chart as shown join chart on chart.id = shown.chart_id
          where shown.dashboard_id = dashboard.id and chart.datasource_id = ${datasetId} and chart.datasource_type = 'table'))`,
    )
    .orderBy('dashboard_title')
    .execute()
  const dashboardIds = new Set(
    (
      await db
        .selectFrom('dashboard_chart')
        .innerJoin('chart', 'chart.id', 'dashboard_chart.chart_id')
        .select('dashboard_id')
        .where('chart.datasource_id', '=', datasetId)
        .where('chart.datasource_type', '=', 'table')
        .execute()
    ).map(({ dashboard_id }) => dashboard_id),
  )
  return rows.filter((row) => dashboardIds.has(row.id) || listDatasetFilters(row, datasetId).length > 0)
}

const listDatasetFilters = ({ json_metadata }: DashboardUsageRow, datasetId: number): NativeFilter[] =>
  readNativeFilters({ nodes: {}, metadata: parseObject(json_metadata) }).filter((filter) =>
    isFilterOnDataset(filter, datasetId),
  )

/** The dashboard's filters on a dataset, with the names they use from it. */
export const listFilterUsages = (row: DashboardUsageRow, datasetId: number, known: KnownNames): FilterUsage[] =>
  listDatasetFilters(row, datasetId).map((filter) => ({
    name: filter.name ?? filter.id,
    ...findFilterFields(filter, datasetId, known),
  }))

/** Metadata of a dashboard with new names in its filters on a dataset; null when nothing changes. */
export function renameInMetadata(
  { json_metadata }: DashboardUsageRow,
  datasetId: number,
  renames: Renames,
): string | null {
  const metadata = parseObject(json_metadata)
  const configured = metadata['native_filter_configuration']
  if (!Array.isArray(configured)) return null
  const after = configured.map((filter: NativeFilter) =>
    filter && isFilterOnDataset(filter, datasetId) ? renameFilterFields(filter, datasetId, renames) : filter,
  )
  const text = JSON.stringify({ ...metadata, native_filter_configuration: after })
  return text === JSON.stringify(metadata) ? null : text
}
