/**
 * `position_json` as it is stored: a tree written flat, id -> node. Unknown keys of nodes and of `meta`, and entries that are
 * no reachable node (the version key, a detached grid), go out as they came.
 */
export interface LayoutNode {
  id: string
  /** One of DASH-046; others from later releases are kept and shown as unknown. */
  type: string
  children: string[]
  /** Ids from `ROOT_ID` down to the direct parent. */
  parents: string[]
  meta: LayoutMeta
  [key: string]: unknown
}

export interface LayoutMeta {
  /** Columns of 12; of charts, text, columns. */
  width?: number
  /** Units of 8 px; of charts and text. */
  height?: number
  background?: string
  text?: string
  /** Of a header: `SMALL_HEADER`, `MEDIUM_HEADER`, `LARGE_HEADER`. */
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

/** `nodes` is a sound tree below `ROOT_ID` plus the title's node; `rest` is everything else, untouched. */
export interface Layout {
  readonly nodes: LayoutNodes
  readonly rest: Readonly<Record<string, unknown>>
}

export const rootId = 'ROOT_ID'
export const gridId = 'GRID_ID'
export const headerId = 'HEADER_ID'

/** Deeper trees are cut: no editor makes them, and a document must not exhaust the stack. */
const maxDepth = 40

export const layoutGrid = { unitPx: 8, gutterPx: 16, columns: 12, minUnits: 5, maxUnits: 100, minRowPx: 16 } as const

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const lookUp = <T>(record: Readonly<Record<string, T>>, id: string): T | undefined =>
  Object.hasOwn(record, id) ? record[id] : undefined

/** The node of an id; ids come from documents, so that `constructor` is nobody. */
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
/** Sizes that can be drawn; higher ones than `maxUnits` are no editor's, but can be read. */
const sizes: Readonly<Record<string, number>> = { width: layoutGrid.columns, height: 1000 }

/** What a node says of itself: what stands in the place of a text or a size and is none is left out, and sizes stay drawable. */
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
 * Reads stored positions, which other tools may have left broken: a child that does not exist, stands twice or contains its
 * own parent is left out of the tree (its entry stays in `rest`). Without a root the tree is an empty grid.
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

/** What is stored: `rest` and the nodes; a layout that had no version key gets `v2`. */
export const writeLayout = ({ nodes, rest }: Layout): Record<string, unknown> => ({
  DASHBOARD_VERSION_KEY: 'v2',
  ...rest,
  ...nodes,
})

/** Ids below and including `id`, in reading order. */
export function subtree(nodes: LayoutNodes, id: string): string[] {
  const node = layoutNode(nodes, id)
  return node ? [id, ...node.children.flatMap((child) => subtree(nodes, child))] : []
}

/** The grid, or the first tab: where things land that say no place. */
export function mainContainer(nodes: LayoutNodes): string {
  const found = subtree(nodes, rootId).find((id) => ['GRID', 'TAB'].includes(layoutNode(nodes, id)?.type ?? ''))
  return found ?? gridId
}

/**
 * The tree as scopes read it: charts of the dashboard that the layout does not show stand in the main container, where the page
 * puts them (DASH-029).
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

/** Chart ids below a node, in reading order, each once. */
export function chartsBelow(nodes: LayoutNodes, id: string): number[] {
  const ids = subtree(nodes, id).flatMap((each) => {
    const node = layoutNode(nodes, each)
    return node?.type === 'CHART' && typeof node.meta.chartId === 'number' ? [node.meta.chartId] : []
  })
  return [...new Set(ids)]
}
