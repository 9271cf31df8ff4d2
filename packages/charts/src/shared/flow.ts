import { cellAt, type Cell, type Column, type Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import type { SpecContext } from '../define.ts'
import { findColumn } from './column.ts'
import { finiteAt, dimensionFormatter } from './items.ts'

export interface FlowNodeSpec {
  name: string
  /** Its cell as a source and as a target; absent if it never occurs as such. */
  from?: Cell
  to?: Cell
  category?: string
}

export interface FlowLinkSpec {
  /** Indexes of nodes. */
  source: number
  target: number
  /** Null when no row has a number. */
  value: number | null
}

/** Names of settings as in forms. */
interface Settings {
  source?: QueryColumn | null
  target?: QueryColumn | null
  metric?: QueryMetric | null
  source_category?: QueryColumn | null
  target_category?: QueryColumn | null
}

/**
 * Reads rows with a source and a target as nodes and links. Equal names are the same node on either side; rows with the same
 * source and target are added up. Nodes are in the order of their first rows. Empty when the response lacks a column.
 */
export function buildFlow(
  frame: Frame | undefined,
  settings: Settings,
  context: SpecContext,
): { nodes: FlowNodeSpec[]; links: FlowLinkSpec[] } {
  const nodes: FlowNodeSpec[] = []
  const links: FlowLinkSpec[] = []
  const placeOf = new Map<string, number>()
  const linkOf = new Map<string, FlowLinkSpec>()
  const nameOf = dimensionFormatter(context, 'smart_date')
  const findNamed = (column: QueryColumn | null | undefined) =>
    column && frame ? findColumn(frame, labelOfColumn(column)) : undefined
  const [source, target] = [findNamed(settings.source), findNamed(settings.target)]
  const values = settings.metric && frame ? findColumn(frame, labelOfMetric(settings.metric)) : undefined
  if (!frame || !source || !target || !values) return { nodes, links }
  const categories = { from: findNamed(settings.source_category), to: findNamed(settings.target_category) }
  const nodeAt = (column: Column, row: number, side: 'from' | 'to') => {
    const cell = cellAt(column, row)
    const name = nameOf(column, cell)
    const place = placeOf.get(name) ?? nodes.push({ name }) - 1
    placeOf.set(name, place)
    const node = nodes[place] as FlowNodeSpec
    if (node[side] === undefined) node[side] = cell
    const of = categories[side]
    if (of && node.category === undefined) node.category = nameOf(of, cellAt(of, row))
    return place
  }
  for (let row = 0; row < frame.rows; row++) {
    const ends = { source: nodeAt(source, row, 'from'), target: nodeAt(target, row, 'to') }
    const value = finiteAt(values, row)
    const id = `${ends.source} ${ends.target}`
    const known = linkOf.get(id)
    if (known) {
      if (value !== null) known.value = (known.value ?? 0) + value
      continue
    }
    const link = { ...ends, value }
    links.push(link)
    linkOf.set(id, link)
  }
  return { nodes, links }
}
