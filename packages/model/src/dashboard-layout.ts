/**
 * A node of `position_json` as stored: a tree in flat form, id -> node. Unknown keys of nodes and of `meta`, and entries that are
 * not reachable nodes (the version key, a detached grid), are preserved.
 */
export interface LayoutNode {
  id: string
  /** One of the types of DASH-046; types of later releases are preserved and shown as unknown. */
  type: string
  children: string[]
  /** Ids from `ROOT_ID` down to the direct parent. */
  parents: string[]
  meta: LayoutMeta
  [key: string]: unknown
}

export interface LayoutMeta {
  /** In grid columns out of 12, for charts, text and columns. */
  width?: number
  /** In units of 8 px, for charts and text. */
  height?: number
  background?: string
  text?: string
  /** Headers only: `SMALL_HEADER`, `MEDIUM_HEADER`, `LARGE_HEADER`. */
  headerSize?: string
  chartId?: number
  uuid?: string
  sliceName?: string
  sliceNameOverride?: string
  /** Markdown text. */
  code?: string
  [key: string]: unknown
}

export type LayoutNodes = Readonly<Record<string, LayoutNode>>

/** `nodes` is a valid tree below `ROOT_ID` plus the title's node; `rest` contains everything else unchanged. */
export interface Layout {
  readonly nodes: LayoutNodes
  readonly rest: Readonly<Record<string, unknown>>
}

export const rootId = 'ROOT_ID'
export const gridId = 'GRID_ID'
export const headerId = 'HEADER_ID'

/** Deeper trees are truncated: editors do not create them, and a document must not exhaust the stack. */
const maxDepth = 40

export const layoutGrid = { unitPx: 8, gutterPx: 16, columns: 12, minUnits: 5, maxUnits: 100, minRowPx: 16 } as const

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const lookUp = <T>(record: Readonly<Record<string, T>>, id: string): T | undefined =>
  Object.hasOwn(record, id) ? record[id] : undefined

/** Returns the node with an id. Ids come from documents, so `constructor` must not match a property of the prototype. */
export const layoutNode = (nodes: LayoutNodes, id: string): LayoutNode | undefined => lookUp(nodes, id)

function parseNode(id: string, stored: unknown): LayoutNode | undefined {
  if (!isObject(stored) || typeof stored.type !== 'string') return undefined
  const children = Array.isArray(stored.children) ? stored.children.filter((c) => typeof c === 'string') : []
  return {
    ...stored,
    id,
    type: stored.type,
    children,
    parents: [],
    meta: isObject(stored.meta) ? parseMeta(stored.meta) : {},
  }
}

const texts = ['text', 'defaultText', 'code', 'sliceName', 'sliceNameOverride', 'headerSize', 'background', 'uuid']
/** Maximum sizes when reading; editors are limited to `maxUnits`. */
const sizes: Readonly<Record<string, number>> = { width: layoutGrid.columns, height: 1000 }

/** Reads the `meta` of a node: drops texts and sizes of the wrong type and clamps sizes to drawable values. */
function parseMeta(stored: Record<string, unknown>): LayoutMeta {
  const sound = (field: string, value: unknown): unknown => {
    if (texts.includes(field))
      return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : undefined
    const most = Object.hasOwn(sizes, field) ? sizes[field] : undefined
    if (most === undefined) return value
    const size = typeof value === 'string' ? Number.parseFloat(value) : value
    return typeof size === 'number' && Number.isFinite(size) ? Math.min(Math.max(size, 1), most) : undefined
  }
  return Object.fromEntries(
    Object.entries(stored)
      .map(([field, value]): [string, unknown] => [field, sound(field, value)])
      .filter(([, value]) => value !== undefined),
  )
}

/**
 * Reads stored positions, which other tools may have corrupted: a child that does not exist, is a duplicate or contains its own
 * parent is dropped from the tree (its entry stays in `rest`). Without a root the tree is an empty grid.
 * @param stored the text of `position_json`, or its parsed value, or null
 */
export function readLayout(stored: unknown): Layout {
  let value = stored
  if (typeof stored === 'string') {
    try {
      value = JSON.parse(stored)
    } catch {
      value = null
    }
  }
  const entries = new Map(isObject(value) ? Object.entries(value) : [])
  const nodes: [string, LayoutNode][] = []
  const seen = new Set<string>()
  const take = (id: string, parents: string[]): boolean => {
    const node = seen.has(id) || parents.length > maxDepth ? undefined : parseNode(id, entries.get(id))
    if (!node) return false
    seen.add(id)
    const kept: LayoutNode = { ...node, parents }
    nodes.push([id, kept])
    kept.children = node.children.filter((child) => take(child, [...parents, id]))
    return true
  }
  if (!take(rootId, [])) {
    const root = { id: rootId, type: 'ROOT', children: [gridId], parents: [], meta: {} }
    nodes.push([rootId, root])
    seen.add(rootId)
    if (!take(gridId, [rootId])) addGrid(nodes, seen)
  } else if (nodes[0]?.[1].children.length === 0) {
    nodes[0][1].children = [gridId]
    if (!take(gridId, [rootId])) addGrid(nodes, seen)
  }
  take(headerId, [])
  const rest = Object.fromEntries([...entries].filter(([id]) => !seen.has(id)))
  return { nodes: Object.fromEntries(nodes), rest }
}

function addGrid(nodes: [string, LayoutNode][], seen: Set<string>) {
  nodes.push([gridId, { id: gridId, type: 'GRID', children: [], parents: [rootId], meta: {} }])
  seen.add(gridId)
}

/** Returns the stored form: `rest` and the nodes, with version key `v2` if there was none. */
export const writeLayout = ({ nodes, rest }: Layout): Record<string, unknown> => ({
  DASHBOARD_VERSION_KEY: 'v2',
  ...rest,
  ...nodes,
})

/** Returns the ids of `id` and its descendants, in reading order. */
export function subtree(nodes: LayoutNodes, id: string): string[] {
  const node = layoutNode(nodes, id)
  return node ? [id, ...node.children.flatMap((child) => subtree(nodes, child))] : []
}

/** Returns the default container for new nodes: the grid or the first tab. */
export function mainContainer(nodes: LayoutNodes): string {
  const found = subtree(nodes, rootId).find((id) => ['GRID', 'TAB'].includes(layoutNode(nodes, id)?.type ?? ''))
  return found ?? gridId
}

/**
 * Adds charts that are missing from the layout to the main container, where the page shows them (DASH-029). Scopes use this tree.
 */
export function withUnplacedCharts(nodes: LayoutNodes, charts: Iterable<number>): LayoutNodes {
  const shown = new Set(chartsBelow(nodes, rootId))
  const main = layoutNode(nodes, mainContainer(nodes))
  const missing = [...charts].filter((id) => !shown.has(id))
  if (!main || missing.length === 0) return nodes
  const parents = [...main.parents, main.id]
  const added = missing.map((chartId): LayoutNode => ({
    id: `CHART-auto-${chartId}`,
    type: 'CHART',
    children: [],
    parents,
    meta: { chartId },
  }))
  return {
    ...nodes,
    ...Object.fromEntries(added.map((node) => [node.id, node])),
    [main.id]: { ...main, children: [...main.children, ...added.map(({ id }) => id)] },
  }
}

/** Name of a chart's node: the dashboard's own name for it, otherwise the name that was saved with the layout. */
export const chartNameInLayout = ({ sliceNameOverride, sliceName }: LayoutMeta): string | undefined =>
  sliceNameOverride || sliceName || undefined

/** Names that the dashboard gives to its charts, by chart id; the first one of a chart that it shows several times. */
export function chartNameOverrides(nodes: LayoutNodes): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  for (const id of subtree(nodes, rootId)) {
    const { type, meta } = layoutNode(nodes, id) ?? {}
    if (type !== 'CHART' || meta?.chartId === undefined || !meta.sliceNameOverride) continue
    if (!names.has(meta.chartId)) names.set(meta.chartId, meta.sliceNameOverride)
  }
  return names
}

/** Returns the distinct chart ids below a node, in reading order. */
export function chartsBelow(nodes: LayoutNodes, id: string): number[] {
  const ids = subtree(nodes, id).flatMap((each) => {
    const node = layoutNode(nodes, each)
    return node?.type === 'CHART' && typeof node.meta.chartId === 'number' ? [node.meta.chartId] : []
  })
  return [...new Set(ids)]
}
