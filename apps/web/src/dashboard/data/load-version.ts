import { listChartNodes, parseJsonObject } from '@parquetry/model'
import { userDisplayName } from '@parquetry/ui'
import { api } from '../../shared/api.ts'
import { readVersion } from '../../shared/history/calls.ts'
import { readDashboard, type ChartRecord, type DashboardRecord } from '../document/read-dashboard.ts'
import { savedChartColumns, toChartRecord } from '../edit/use-saved-charts.ts'
import type { LoadedDashboard } from './calls.ts'
import type { ShownVersion } from './open-dashboard.ts'

/** Fields that a version restores, and that its preview therefore shows. */
const versionFields = [
  'dashboard_title',
  'css',
  'json_metadata',
  'position_json',
  'certified_by',
  'certification_details',
] as const satisfies readonly (keyof DashboardRecord)[]

/**
 * Returns a dashboard as it was in a version, with the charts of its layout as they are today, also those that are no longer on
 * the dashboard.
 * @throws ApiError
 */
export async function loadVersion(
  { dashboard, datasets }: LoadedDashboard,
  n: number,
  signal?: AbortSignal,
): Promise<{ loaded: LoadedDashboard; version: ShownVersion }> {
  const { at, author, result: stored } = await readVersion('dashboard', dashboard.result.id, n, signal)
  const record = { ...dashboard.result, ...Object.fromEntries(versionFields.map((name) => [name, stored[name]])) }
  const nodes = listChartNodes(parseJsonObject(record.position_json))
  const ids = [...new Set(nodes.flatMap(({ meta }) => (typeof meta['chartId'] === 'number' ? [meta['chartId']] : [])))]
  const removed = await loadCharts(
    ids.filter((id) => !dashboard.charts.has(id)),
    signal,
  )
  const charts = ids.flatMap((id) => dashboard.charts.get(id) ?? removed.get(id) ?? [])
  return {
    loaded: { dashboard: { ...readDashboard(record, charts), flags: dashboard.flags ?? {} }, datasets },
    version: { n, at: new Date(`${at}Z`), author: author && userDisplayName(author) },
  }
}

/** Loads charts that exist and that the user may see. */
async function loadCharts(ids: readonly number[], signal?: AbortSignal): Promise<ReadonlyMap<number, ChartRecord>> {
  if (ids.length === 0) return new Map()
  const { result } = await api.get('/api/v1/chart/', {
    signal,
    q: {
      columns: savedChartColumns,
      keys: ['none'],
      page_size: ids.length,
      filters: [{ col: 'id', opr: 'in', value: [...ids] }],
    },
  })
  return new Map(result.flatMap((chart) => toChartRecord(chart) ?? []).map((chart) => [chart.id, chart]))
}
