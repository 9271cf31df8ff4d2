import { headerId, layoutNode, readLayout, rootId, type Layout } from '@parquetry/model'
import { placeMissing } from '../layout/arrange.ts'

/** A person as the API lists owners and changers. */
export interface Person {
  id: number
  username?: string
  first_name?: string
  last_name?: string
}

/** `result` of `GET /api/v1/dashboard/{id or slug}`; the fields that the page reads (DASH-042). */
export interface DashboardResult {
  id: number
  uuid?: string | null
  slug?: string | null
  url?: string
  dashboard_title?: string | null
  published?: boolean | null
  css?: string | null
  json_metadata?: string | null
  position_json?: string | null
  certified_by?: string | null
  certification_details?: string | null
  changed_by_name?: string | null
  changed_on?: string | null
  changed_on_delta_humanized?: string | null
  owners?: Person[]
  roles?: { id: number; name: string }[]
  is_managed_externally?: boolean | null
}

/** An entry of `GET .../charts` (DASH-051). */
export interface ChartResult {
  id: number
  slice_name: string
  form_data: Record<string, unknown>
  description?: string | null
  description_markeddown?: string | null
  changed_on?: string | null
  cache_timeout?: number | null
  slice_url?: string
  certified_by?: string | null
  certification_details?: string | null
}

/** `json_metadata` parsed (DASH-043): open, unknown keys go out as they came. */
export type Metadata = Record<string, unknown>

export interface Dashboard {
  result: DashboardResult
  metadata: Metadata
  layout: Layout
  charts: ReadonlyMap<number, ChartResult>
}

/** The document as the page works with it; charts that the layout does not show are placed at its end (DASH-029). */
export function readDashboard(result: DashboardResult, charts: readonly ChartResult[]): Dashboard {
  const layout = readLayout(result.position_json)
  return {
    result,
    metadata: readMetadata(result.json_metadata),
    layout: { ...layout, nodes: placeMissing(layout.nodes, charts) },
    charts: new Map(charts.map((chart) => [chart.id, chart])),
  }
}

/** A text that is no JSON object counts as empty: the dashboard still opens. */
export function readMetadata(text: string | null | undefined): Metadata {
  if (!text) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Metadata) : {}
  } catch {
    return {}
  }
}

/** The title while editing stands in the layout's header node, so that undo reaches it; else the document's own. */
export function titleOf({ result, layout }: Dashboard, nodes = layout.nodes): string {
  return layoutNode(nodes, headerId)?.meta.text ?? result.dashboard_title ?? ''
}

/** Charts that a tree shows, by chart id. */
export const isEmptyTree = (nodes: Layout['nodes']): boolean => {
  const root = layoutNode(nodes, rootId)
  return (root?.children ?? []).every((id) => (layoutNode(nodes, id)?.children.length ?? 0) === 0)
}
