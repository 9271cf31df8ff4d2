import {
  applyFilterFlags,
  parseExactJson,
  readLayout,
  withUnplacedCharts,
  type FilteredDashboard,
} from '@parquetry/model'
import type { Selectable } from 'kysely'
import type { DashboardTable } from '../store/tables.ts'
import type { ChartDeps } from './deps.ts'
import { withTemporalColumns, type SavedChart } from './saved-chart-query.ts'

export type StoredDashboard = Selectable<DashboardTable>

/** Parses stored metadata; text that is not a JSON object counts as empty. */
export function parseMetadata(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = parseExactJson(text || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}

/** Returns the charts of a dashboard by id. */
export async function loadDashboardCharts(
  { id }: Pick<StoredDashboard, 'id'>,
  deps: Pick<ChartDeps, 'db'>,
): Promise<Map<number, SavedChart>> {
  const rows = await deps.db
    .selectFrom('chart')
    .innerJoin('dashboard_chart', 'dashboard_chart.chart_id', 'chart.id')
    .selectAll('chart')
    .where('dashboard_chart.dashboard_id', '=', id)
    .execute()
  return new Map((await withTemporalColumns(deps.db, rows)).map((chart) => [chart.id, chart]))
}

/** Parts of a dashboard needed to apply filters. */
export const toFilteredDashboard = (
  { position_json, json_metadata }: Pick<StoredDashboard, 'position_json' | 'json_metadata'>,
  charts: Iterable<number>,
  flags: Readonly<Record<string, boolean>>,
): FilteredDashboard => ({
  nodes: withUnplacedCharts(readLayout(position_json).nodes, charts),
  metadata: applyFilterFlags(parseMetadata(json_metadata), flags),
})
