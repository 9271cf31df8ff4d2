import {
  parseExactJson,
  headerId,
  layoutNode,
  readLayout,
  rootId,
  type DashboardChart,
  type DashboardDetail,
  type Layout,
} from '@parquetry/model'
import { placeMissingCharts } from '../layout/arrange.ts'
import { setMeta } from '../layout/commands.ts'

/** `result` of `GET /api/v1/dashboard/{id or slug}`; the fields that the page reads (DASH-042). */
export type DashboardRecord = Pick<DashboardDetail, 'id'> &
  Partial<
    Pick<
      DashboardDetail,
      | 'uuid'
      | 'slug'
      | 'url'
      | 'dashboard_title'
      | 'published'
      | 'css'
      | 'theme'
      | 'json_metadata'
      | 'position_json'
      | 'certified_by'
      | 'certification_details'
      | 'changed_by_name'
      | 'changed_on'
      | 'changed_on_delta_humanized'
      | 'owners'
      | 'editors'
      | 'roles'
      | 'tags'
      | 'is_managed_externally'
    >
  >

/** Id of a dashboard that is not stored yet. */
export const newDashboardId = 0

/** An entry of `GET .../charts` (DASH-051). */
export type ChartRecord = Pick<DashboardChart, 'id' | 'slice_name' | 'form_data'> &
  Partial<Omit<DashboardChart, 'id' | 'slice_name' | 'form_data'>>

/** Parsed `json_metadata` (DASH-043); unknown keys are preserved. */
export type Metadata = Record<string, unknown>

export interface DashboardDocument {
  result: DashboardRecord
  metadata: Metadata
  layout: Layout
  charts: ReadonlyMap<number, ChartRecord>
  /** Feature flags that decide which filters apply; all apply if undefined. */
  flags?: Readonly<Record<string, boolean>>
}

/**
 * Converts the API results into the document that the page uses. Charts missing from the layout are placed at its end (DASH-029),
 * and the header gets the document's title, because other tools may leave an older one there.
 */
export function readDashboard(result: DashboardRecord, charts: readonly ChartRecord[]): DashboardDocument {
  const layout = readLayout(result.position_json)
  const nodes = placeMissingCharts(layout.nodes, charts)
  const title = result.dashboard_title
  const isTitled = title !== undefined && title !== null && layoutNode(nodes, headerId) !== undefined
  return {
    result,
    metadata: readMetadata(result.json_metadata),
    layout: { ...layout, nodes: isTitled ? setMeta(nodes, headerId, { text: title }) : nodes },
    charts: new Map(charts.map((chart) => [chart.id, chart])),
  }
}

/** Parses the metadata; text that is not a JSON object counts as empty, so that the dashboard still opens. */
export function readMetadata(text: string | null | undefined): Metadata {
  if (!text) return {}
  try {
    const value: unknown = parseExactJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Metadata) : {}
  } catch {
    return {}
  }
}

/** Title from the layout's header node, where undo covers edits; otherwise the document's own. */
export function titleOf({ result, layout }: DashboardDocument, nodes = layout.nodes): string {
  return layoutNode(nodes, headerId)?.meta.text ?? result.dashboard_title ?? ''
}

/** True if the tree contains no blocks. */
export const isEmptyTree = (nodes: Layout['nodes']): boolean => {
  const root = layoutNode(nodes, rootId)
  return (root?.children ?? []).every((id) => (layoutNode(nodes, id)?.children.length ?? 0) === 0)
}
