import {
  chartNameInLayout,
  dashboardFields,
  headerId,
  isDeepEqual,
  diffLayouts,
  layoutGrid,
  layoutNode,
  diffMetadata,
  readLayout,
  type Difference,
  type LayoutNode,
  type LayoutNodes,
} from '@parquetry/model'
import { widthOf } from '../layout/rules.ts'
import type { DashboardDocument, Metadata } from './read-dashboard.ts'
import { dashboardSettingsOf, withSettings, type EditableFields } from './settings.ts'

/** Result of merging two users' changes to one dashboard. */
export interface MergeResult {
  /** Their version with my changes; its layout is the merged one. */
  merged: DashboardDocument
  /** Parts that both changed differently; `merged` contains mine. */
  collisions: Difference[]
}

/** Three-way merge of one value: the changed one, or mine if both changed. */
function mergeValue<T>(base: T, mine: T, theirs: T): { value: T; collides: boolean } {
  if (isDeepEqual(mine, theirs) || isDeepEqual(theirs, base)) return { value: mine, collides: false }
  if (isDeepEqual(mine, base)) return { value: theirs, collides: false }
  return { value: mine, collides: true }
}

/** Merges an order: includes what both added, without what either removed. */
function mergeOrder(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const { value, collides } = mergeValue(base, mine, theirs)
  if (!collides) return [...value]
  const order = theirs.filter((id) => mine.includes(id) || !base.includes(id))
  for (const [at, id] of mine.entries()) {
    if (order.includes(id) || base.includes(id)) continue
    const before = mine.slice(0, at).findLast((each) => order.includes(each))
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id)
  }
  return order
}

type Values = Readonly<Record<string, unknown>>

function mergeKeys(base: Values, mine: Values, theirs: Values): { value: Record<string, unknown>; collided: string[] } {
  const value: Record<string, unknown> = {}
  const collided: string[] = []
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const one = mergeValue(base[key], mine[key], theirs[key])
    if (one.collides) collided.push(key)
    if (one.value !== undefined) value[key] = one.value
  }
  return { value, collided }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const byId = (list: unknown): Map<string, Record<string, unknown>> =>
  new Map(
    (Array.isArray(list) ? list : []).flatMap((each): [string, Record<string, unknown>][] =>
      isObject(each) && typeof each['id'] === 'string' ? [[each['id'], each]] : [],
    ),
  )

/** Merges filters one by one, in an order that includes those of both. */
function mergeFilters(base: unknown, mine: unknown, theirs: unknown): { value: unknown[]; collisions: Difference[] } {
  const [b, m, t] = [byId(base), byId(mine), byId(theirs)]
  const order = mergeOrder([...b.keys()], [...m.keys()], [...t.keys()])
  const collisions: Difference[] = []
  const mergedFilters = new Map<string, unknown>()
  for (const id of new Set([...order, ...m.keys(), ...t.keys()])) {
    const { value, collides } = mergeValue(b.get(id), m.get(id), t.get(id))
    const named = String(m.get(id)?.['name'] ?? t.get(id)?.['name'] ?? '')
    if (collides) collisions.push({ of: 'filter', how: 'changed', what: id, name: named })
    if (value !== undefined) mergedFilters.set(id, value)
  }
  const last = [...mergedFilters.keys()].filter((id) => !order.includes(id))
  return { value: [...order, ...last].flatMap((id) => mergedFilters.get(id) ?? []), collisions }
}

function mergeMetadata(
  base: Metadata,
  mine: Metadata,
  theirs: Metadata,
): { value: Metadata; collisions: Difference[] } {
  const collisions: Difference[] = []
  const value: Metadata = {}
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const [b, m, t] = [base[key], mine[key], theirs[key]]
    if (key === 'native_filter_configuration') {
      const filters = mergeFilters(b, m, t)
      value[key] = filters.value
      collisions.push(...filters.collisions)
    } else if (isObject(m) && isObject(t)) {
      const keys = mergeKeys(isObject(b) ? b : {}, m, t)
      value[key] = keys.value
      if (keys.collided.length > 0) collisions.push({ of: 'setting', how: 'changed', what: key })
    } else {
      const one = mergeValue(b, m, t)
      if (one.value !== undefined) value[key] = one.value
      if (one.collides) collisions.push({ of: 'setting', how: 'changed', what: key })
    }
  }
  return { value, collisions }
}

const toDifference = (node: LayoutNode | undefined, id: string): Difference => {
  const name = node && (chartNameInLayout(node.meta) ?? node.meta.text)
  const chart = node?.meta.chartId
  return {
    of: 'node',
    how: 'changed',
    what: node?.type ?? id,
    ...(name && { name }),
    ...(chart !== undefined && { chart }),
  }
}

const parentOf = (nodes: LayoutNodes, id: string): string | undefined => layoutNode(nodes, id)?.parents.at(-1)

function mergeNodes(
  base: LayoutNodes,
  mine: LayoutNodes,
  theirs: LayoutNodes,
): { nodes: LayoutNodes; collisions: Difference[] } {
  const collisions: Difference[] = []
  const own = (node: LayoutNode | undefined) => {
    if (!node) return undefined
    const { children: _, parents: _p, ...rest } = node
    return rest
  }
  const mergedNodes = new Map<string, LayoutNode>()
  for (const id of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const [b, m, t] = [layoutNode(base, id), layoutNode(mine, id), layoutNode(theirs, id)]
    const { value, collides } = mergeValue(own(b), own(m), own(t))
    if (collides) collisions.push(toDifference(m ?? t, id))
    if (value === undefined) continue
    const children = mergeOrder(b?.children ?? [], m?.children ?? [], t?.children ?? [])
    mergedNodes.set(id, { ...value, children, parents: [] } as unknown as LayoutNode)
  }
  // An item that both moved stays where I put it. If its parent was deleted, it goes to the parent that still exists.
  const homes = new Map<string, string>()
  for (const id of mergedNodes.keys()) {
    const home = mergeValue(parentOf(base, id), parentOf(mine, id), parentOf(theirs, id))
    const found = [home.value, parentOf(mine, id), parentOf(theirs, id)].find((each) => each && mergedNodes.has(each))
    if (home.collides && layoutNode(base, id)) collisions.push(toDifference(mergedNodes.get(id), id))
    if (found) homes.set(id, found)
  }
  for (const [id, node] of mergedNodes) {
    const children = node.children.filter((child) => homes.get(child) === id)
    for (const [child, home] of homes) if (home === id && !children.includes(child)) children.push(child)
    mergedNodes.set(id, { ...node, children })
  }
  splitFullRows(mergedNodes)
  for (const [id, node] of mergedNodes) {
    if (node.type !== 'ROW' || node.children.length > 0 || layoutNode(base, id)?.children.length === 0) continue
    mergedNodes.delete(id)
  }
  return { nodes: readLayout(Object.fromEntries(mergedNodes)).nodes, collisions }
}

/** Moves what does not fit a row filled by both into a new row below. */
function splitFullRows(nodes: Map<string, LayoutNode>): void {
  const homeOf = (id: string) => [...nodes.values()].find(({ children }) => children.includes(id))
  for (const row of [...nodes.values()].filter(({ type }) => type === 'ROW')) {
    const home = homeOf(row.id)
    const columns = home?.type === 'COLUMN' ? widthOf(home) : layoutGrid.columns
    const rows: string[][] = [[]]
    let left = columns
    for (const child of row.children) {
      const node = nodes.get(child)
      const width = Math.min(columns, node ? widthOf(node) : 0)
      if (width > left && (rows.at(-1)?.length ?? 0) > 0) {
        rows.push([])
        left = columns
      }
      rows.at(-1)?.push(child)
      left -= width
    }
    if (rows.length === 1 || !home) continue
    const [first = [], ...more] = rows
    nodes.set(row.id, { ...row, children: first })
    const added = more.map((children, index) => {
      const id = `${row.id}-${index + 2}`
      nodes.set(id, { ...row, id, children })
      return id
    })
    const at = home.children.indexOf(row.id) + 1
    const now = nodes.get(home.id) ?? home
    nodes.set(home.id, { ...now, children: now.children.toSpliced(at, 0, ...added) })
  }
}

/** Applies my changes since `base` to their version. Changes to different tiles, filters, colors and fields do not collide. */
export function mergeDashboards(
  base: DashboardDocument,
  mine: DashboardDocument,
  theirs: DashboardDocument,
): MergeResult {
  const layout = mergeNodes(base.layout.nodes, mine.layout.nodes, theirs.layout.nodes)
  const metadata = mergeMetadata(base.metadata, mine.metadata, theirs.metadata)
  const [b, m, t] = [
    dashboardSettingsOf(base).fields,
    dashboardSettingsOf(mine).fields,
    dashboardSettingsOf(theirs).fields,
  ]
  const fields = mergeKeys(b as Values, m as Values, t as Values)
  const collided = fields.collided.map((what): Difference => ({ of: 'field', how: 'changed', what }))
  const merged = withSettings(theirs, { fields: fields.value as EditableFields, metadata: metadata.value })
  return {
    merged: { ...merged, layout: { ...theirs.layout, nodes: layout.nodes } },
    collisions: [...layout.collisions, ...metadata.collisions, ...collided],
  }
}

/** Differences between two states of an open dashboard. */
export function dashboardDifferences(before: DashboardDocument, after: DashboardDocument): Difference[] {
  const valuesOf = (each: DashboardDocument): Values => ({
    ...dashboardSettingsOf(each).fields,
    dashboard_title: layoutNode(each.layout.nodes, headerId)?.meta.text ?? each.result.dashboard_title,
  })
  const [a, b] = [valuesOf(before), valuesOf(after)]
  const blank = (value: unknown) => (value === '' || value === undefined ? null : value)
  return [
    ...dashboardFields
      .filter((what) => !isDeepEqual(blank(a[what]), blank(b[what])))
      .map((what): Difference => ({ of: 'field', how: 'changed', what })),
    ...diffLayouts(before.layout.nodes, after.layout.nodes),
    ...diffMetadata(before.metadata, after.metadata),
  ]
}
