import { nativeFilters, type NativeFilter } from '@parquetry/model'
import { isFilterOn, namesOfFilter, renamedFilter, type KnownNames, type Renames } from '@parquetry/charts'
import { type Kysely, type Selectable, sql, type SqlBool } from 'kysely'
import { objectIn } from '../http/json-body.ts'
import type { DashboardTable, Tables } from '../store/tables.ts'

export type FilteredRow = Pick<
  Selectable<DashboardTable>,
  'id' | 'uuid' | 'dashboard_title' | 'json_metadata' | 'changed_on'
>

/** What one filter of a dashboard takes of the dataset that its values come from. */
export interface FilterUse {
  name: string
  columns: string[]
  metrics: string[]
}

/** Dashboards that show charts of a dataset or filter by it, whoever may see them. */
export async function usingDashboards(db: Kysely<Tables>, datasetId: number): Promise<FilteredRow[]> {
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
  const shown = new Set(
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
  return rows.filter((row) => shown.has(row.id) || filtersOn(row, datasetId).length > 0)
}

const filtersOn = ({ json_metadata }: FilteredRow, datasetId: number): NativeFilter[] =>
  nativeFilters({ nodes: {}, metadata: objectIn(json_metadata) }).filter((filter) => isFilterOn(filter, datasetId))

/** The dashboard's filters on a dataset, and what of it they name. */
export const filterUses = (row: FilteredRow, datasetId: number, known: KnownNames): FilterUse[] =>
  filtersOn(row, datasetId).map((filter) => ({
    name: filter.name ?? filter.id,
    ...namesOfFilter(filter, datasetId, known),
  }))

/** The metadata of a dashboard with its filters on a dataset under new names; null when nothing changes. */
export function renamedMetadata({ json_metadata }: FilteredRow, datasetId: number, renames: Renames): string | null {
  const metadata = objectIn(json_metadata)
  const configured = metadata['native_filter_configuration']
  if (!Array.isArray(configured)) return null
  const after = configured.map((filter: NativeFilter) =>
    filter && isFilterOn(filter, datasetId) ? renamedFilter(filter, datasetId, renames) : filter,
  )
  const text = JSON.stringify({ ...metadata, native_filter_configuration: after })
  return text === JSON.stringify(metadata) ? null : text
}
