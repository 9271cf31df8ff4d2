import {
  parseExactJson,
  gridId,
  headerId,
  type LayoutNode,
  readLayout,
  rootId,
  toPlainText,
  writeLayout,
} from '@parquetry/model'
import type { Selectable } from 'kysely'
import type { DashboardTable } from '../store/tables.ts'
import { withOtherFields } from './other-fields.ts'

type Json = Record<string, unknown>

/** Fields of a chart that its dashboard contains. */
export interface ExportedChart {
  id: number
  uuid: string
  slice_name: string
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const parseJsonObject = (text: string | null): Json => {
  const value: unknown = text ? parseExactJson(text) : null
  return isObject(value) ? value : {}
}

/**
 * Creates the document of a dashboard. Its layout refers to charts by UUID, with charts missing from the layout in a new row at
 * the end; its filters refer to datasets by UUID.
 * @param charts        the charts in the bundle
 * @param datasetUuids  id -> UUID of the datasets in the bundle
 */
export const exportDashboard = (
  row: Selectable<DashboardTable>,
  {
    charts,
    datasetUuids,
    themeUuid,
    tags,
  }: {
    charts: readonly ExportedChart[]
    datasetUuids: ReadonlyMap<number, string>
    themeUuid: string | undefined
    tags: readonly string[]
  },
): Json =>
  withOtherFields(
    {
      dashboard_title: row.dashboard_title,
      description: row.description,
      css: row.css,
      slug: row.slug,
      ...(row.certified_by && { certified_by: row.certified_by, certification_details: row.certification_details }),
      ...(row.published === 1 && { published: true }),
      uuid: row.uuid,
      position: buildPosition(row, charts),
      metadata: withDatasetUuids(withoutOtherCharts(parseJsonObject(row.json_metadata), charts), datasetUuids),
      ...(tags.length > 0 && { tags }),
      ...(themeUuid && { theme_uuid: themeUuid }),
      ...(row.is_managed_externally === 1 && { is_managed_externally: true, external_url: row.external_url }),
      version: '1.0.0',
    },
    row.other_fields,
  )

const chartsPerRow = 3
const chartSize = { width: 4, height: 50 }

function buildPosition(
  { position_json, dashboard_title }: Selectable<DashboardTable>,
  charts: readonly ExportedChart[],
): Json {
  const { nodes, rest } = readLayout(position_json)
  const completed: Record<string, LayoutNode> = structuredClone(nodes)
  const byId = new Map(charts.map((chart) => [chart.id, chart]))
  const placedIds = new Set<number>()
  for (const node of Object.values(completed)) {
    if (node.type !== 'CHART') continue
    const chart = byId.get(Number(toPlainText(node.meta.chartId)))
    if (chart) {
      placedIds.add(chart.id)
      node.meta = { ...node.meta, uuid: chart.uuid }
    } else if (node.meta['uuid'] !== undefined) {
      // The chart was not in the bundle that the dashboard came with. Superset rejects a UUID without a number.
      node.meta = { ...node.meta, chartId: node.meta.chartId ?? 0 }
    }
  }
  completed[headerId] ??= {
    id: headerId,
    type: 'HEADER',
    children: [],
    parents: [],
    meta: { text: dashboard_title ?? '' },
  }
  const missing = charts.filter(({ id }) => !placedIds.has(id))
  for (let from = 0; from < missing.length; from += chartsPerRow)
    addRow(completed, `ROW-N-${from / chartsPerRow}`, missing.slice(from, from + chartsPerRow))
  const entries = Object.entries(writeLayout({ nodes: completed, rest }))
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Adds charts as a new row at the end of the grid, or of the root when the dashboard has tabs instead. */
function addRow(nodes: Record<string, LayoutNode>, id: string, charts: readonly ExportedChart[]): void {
  const home = nodes[gridId] ?? nodes[rootId]
  if (!home) return
  const parents = [...home.parents, home.id]
  home.children = [...home.children, id]
  const ids = charts.map((chart) => `CHART-${chart.id}`)
  nodes[id] = { id, type: 'ROW', children: ids, parents, meta: { background: 'BACKGROUND_TRANSPARENT' } }
  for (const { id: chartId, uuid, slice_name } of charts)
    nodes[`CHART-${chartId}`] = {
      id: `CHART-${chartId}`,
      type: 'CHART',
      children: [],
      parents: [...parents, id],
      meta: { chartId, uuid, sliceName: slice_name, ...chartSize },
    }
}

/** Removes settings of charts that are not in the bundle, which Superset rejects in these two places and ignores elsewhere. */
function withoutOtherCharts(metadata: Json, charts: readonly ExportedChart[]): Json {
  const ids = new Set(charts.map(({ id }) => String(id)))
  const { timed_refresh_immune_slices: immune, expanded_slices: expanded } = metadata
  return {
    ...metadata,
    ...(Array.isArray(immune) && { timed_refresh_immune_slices: immune.filter((id) => ids.has(toPlainText(id))) }),
    ...(isObject(expanded) && {
      expanded_slices: Object.fromEntries(Object.entries(expanded).filter(([id]) => ids.has(id))),
    }),
  }
}

function withDatasetUuids(metadata: Json, uuids: ReadonlyMap<number, string>): Json {
  const filters = metadata['native_filter_configuration']
  if (!Array.isArray(filters)) return metadata
  const targetOf = (target: unknown): unknown => {
    if (!isObject(target) || typeof target['datasetId'] !== 'number') return target
    const { datasetId, ...others } = target
    const datasetUuid = uuids.get(datasetId as number)
    return datasetUuid === undefined ? others : { ...others, datasetUuid }
  }
  const filterOf = (filter: unknown): unknown =>
    isObject(filter) && Array.isArray(filter['targets'])
      ? { ...filter, targets: filter['targets'].map(targetOf) }
      : filter
  return { ...metadata, native_filter_configuration: filters.map(filterOf) }
}
