import type { Cell } from '@parquetry/frame'
import type { SpecSeries } from '../families/family.ts'
import type { Move } from '../layer.ts'
import { othersColor } from '../paint.ts'

export interface FlowNode {
  name: string
  color: string
  key: Record<string, Cell>
  category?: string
  /** Indexes of its outgoing and incoming links, the largest first. */
  out: number[]
  in: number[]
  /** Sums of the numbers of these links. */
  sent: number
  received: number
}

export interface FlowLink {
  /** Indexes of nodes. */
  source: number
  target: number
  value: number | null
  key: Record<string, Cell>
}

/** Data that could not be drawn. */
export interface FlowOmissions {
  /** Links without a valid number, by problem. */
  negatives: number
  unknown: number
  /** Names of nodes with links to themselves. */
  loops: string[]
  /** Links that would close a cycle. */
  circles: { source: string; target: string }[]
  /** Names of nodes without remaining links. */
  lonely: string[]
}

/**
 * A directed graph of nodes and links. Marks are numbered as nodes, then links in the order of their sources, then the same links
 * in the order of their targets, so that arrow keys know from which end a link was reached.
 */
export interface Flow {
  /** Name of the measure. */
  name: string
  nodes: FlowNode[]
  links: FlowLink[]
  omissions: FlowOmissions
}

interface SpecNode {
  name: string
  color?: string
  key?: Record<string, Cell>
  category?: string
}

export const linkWeight = (link: FlowLink | undefined): number => Math.max(0, link?.value ?? 0)

/** Reads the complete flow of the spec. */
export function readFlow({ name = '', color = othersColor, data = [], links = [] }: SpecSeries): Flow {
  const nodes = (data as unknown as SpecNode[]).map((node): FlowNode => ({
    color,
    key: {},
    ...node,
    out: [],
    in: [],
    sent: 0,
    received: 0,
  }))
  const left = { negatives: 0, unknown: 0, loops: [], circles: [], lonely: [] }
  return attachLinks({
    name,
    nodes,
    links: (links as FlowLink[]).map((link) => ({ ...link, key: link.key ?? {} })),
    omissions: left,
  })
}

/**
 * Reads the links whose number can be drawn as a width, and the nodes that they connect.
 * @param isOneWay removes loops and cycles
 */
export function readDrawableFlow(series: SpecSeries, isOneWay: boolean): Flow {
  const { nodes, links, ...flow } = readFlow(series)
  const nameAt = (index: number) => nodes[index]?.name ?? ''
  const left: FlowOmissions = {
    ...flow.omissions,
    negatives: links.filter(({ value }) => value !== null && value < 0).length,
    unknown: links.filter(({ value }) => value === null).length,
  }
  const isWide = links.map((link) => linkWeight(link) > 0)
  if (isOneWay)
    for (const [at, { source, target }] of links.entries())
      if (isWide[at] && source === target) {
        isWide[at] = false
        left.loops.push(nameAt(source))
      }
  if (isOneWay)
    for (const at of closingLinks(nodes, links, isWide)) {
      isWide[at] = false
      const { source, target } = links[at] as FlowLink
      left.circles.push({ source: nameAt(source), target: nameAt(target) })
    }
  const wideLinks = links.filter((_, index) => isWide[index])
  const isJoined = new Set(wideLinks.flatMap(({ source, target }) => [source, target]))
  left.lonely = nodes.flatMap(({ name }, index) => (isJoined.has(index) ? [] : [name]))
  return selectNodes(
    { ...flow, nodes, links: wideLinks, omissions: left },
    [...nodes.keys()].filter((index) => isJoined.has(index)),
  )
}

/** Returns these nodes, in this order, and the links between them. */
export function selectNodes({ nodes, links, ...flow }: Flow, places: readonly number[]): Flow {
  const placeOf = new Map(places.map((old, index) => [old, index]))
  return attachLinks({
    ...flow,
    nodes: places.flatMap((index) => nodes[index] ?? []),
    links: links.flatMap((link) => {
      const [source, target] = [placeOf.get(link.source), placeOf.get(link.target)]
      return source === undefined || target === undefined ? [] : [{ ...link, source, target }]
    }),
  })
}

/** Adds to each node its links. */
function attachLinks({ nodes, links, ...flow }: Flow): Flow {
  const own = nodes.map((node): FlowNode => ({ ...node, out: [], in: [], sent: 0, received: 0 }))
  const bySize = [...links.keys()].toSorted((a, b) => Math.abs(links[b]?.value ?? 0) - Math.abs(links[a]?.value ?? 0))
  for (const at of bySize) {
    const { source, target, value } = links[at] as FlowLink
    const [from, to] = [own[source], own[target]]
    from?.out.push(at)
    to?.in.push(at)
    if (from) from.sent += value ?? 0
    if (to) to.received += value ?? 0
  }
  return { ...flow, nodes: own, links }
}

/** Links that close a cycle, found by following the largest links first. */
function closingLinks(nodes: readonly FlowNode[], links: readonly FlowLink[], isWide: readonly boolean[]): number[] {
  const found: number[] = []
  const state = nodes.map(() => 'new' as 'new' | 'open' | 'done')
  // nodes without incoming links come first
  const starts = [...nodes.keys()].toSorted((a, b) => Number(isReached(a)) - Number(isReached(b)))
  function isReached(index: number): boolean {
    return nodes[index]?.in.some((link) => isWide[link] && links[link]?.source !== index) ?? false
  }
  for (const start of starts) {
    if (state[start] !== 'new') continue
    const path = [{ at: start, next: 0 }]
    state[start] = 'open'
    for (let here = path.at(-1); here; here = path.at(-1)) {
      const link = nodes[here.at]?.out[here.next++]
      if (link === undefined) {
        state[here.at] = 'done'
        path.pop()
        continue
      }
      const target = links[link]?.target ?? 0
      if (!isWide[link]) continue
      if (state[target] === 'open') found.push(link)
      if (state[target] !== 'new') continue
      state[target] = 'open'
      path.push({ at: target, next: 0 })
    }
  }
  return found
}

export const countFlowMarks = ({ nodes, links }: Flow): number => nodes.length + 2 * links.length

/** The node with this mark number, or the link and the end from which it is seen. */
export function locateFlowMark(
  { nodes, links }: Flow,
  index: number,
): { node: number } | { link: number; seenFrom: 'source' | 'target' } {
  const past = index - nodes.length
  if (past < 0) return { node: index }
  return past < links.length ? { link: past, seenFrom: 'source' } : { link: past - links.length, seenFrom: 'target' }
}

/** Index of a mark among the drawn items, nodes first; a link is drawn once. */
export function toDrawnIndex(flow: Flow, index: number): number {
  const part = locateFlowMark(flow, index)
  return 'node' in part ? part.node : flow.nodes.length + part.link
}

/**
 * Right moves from a node along its outgoing links, left along the incoming ones, up and down to adjacent nodes. On a link, up
 * and down move to the other links at the end from which it was reached, right to its target and left to its source.
 * @param beside indexes of the nodes in the same row as a node, including itself
 */
export function navigateFlow(
  flow: Flow,
  index: number | null,
  move: Move,
  beside: (node: number) => readonly number[] = () => [...flow.nodes.keys()],
): number | null {
  const { nodes, links } = flow
  if (nodes.length === 0) return null
  if (move === 'last' || (index === null && move === 'previous')) return nodes.length - 1
  if (move === 'first' || index === null) return 0
  const asSeen = (link: number | undefined, from: 'source' | 'target') =>
    link === undefined ? null : nodes.length + link + (from === 'target' ? links.length : 0)
  const step = move === 'down' ? 1 : -1
  const part = locateFlowMark(flow, index)
  if ('node' in part) {
    const node = nodes[part.node]
    if (move === 'next') return asSeen(node?.out[0], 'source')
    if (move === 'previous') return asSeen(node?.in[0], 'target')
    const row = beside(part.node)
    return row[row.indexOf(part.node) + step] ?? null
  }
  const link = links[part.link]
  if (!link) return null
  if (move === 'next') return link.target
  if (move === 'previous') return link.source
  const all = (part.seenFrom === 'source' ? nodes[link.source]?.out : nodes[link.target]?.in) ?? []
  return asSeen(all[all.indexOf(part.link) + step], part.seenFrom)
}

/** Drawn items that stay highlighted under the pointer: a node with its links and neighbors, a link with its ends. */
export function relatedTo({ nodes, links }: Flow): number[][] {
  const around = nodes.map((node, index) => {
    const own = [...new Set([...node.out, ...node.in])]
    const ends = own.flatMap((link) => [links[link]?.source ?? index, links[link]?.target ?? index])
    return [...new Set([index, ...ends]), ...own.map((link) => nodes.length + link)]
  })
  return [...around, ...links.map(({ source, target }, index) => [source, target, nodes.length + index])]
}
