import { linkWeight, type Flow } from '../../flow/marks.ts'

/** Top and bottom of each node, and the centers of both ends and the width of each link. */
export interface SankeyLayout {
  nodes: { from: number; to: number }[]
  links: { from: number; to: number; width: number }[]
}

/** Column of each node: to the right of all nodes that lead to it, or the last column for nodes without outgoing links. */
export function assignColumns({ nodes, links }: Flow): number[] {
  const column = nodes.map(() => 0)
  const waits = nodes.map((node) => node.in.length)
  const ready = [...nodes.keys()].filter((index) => waits[index] === 0)
  for (let index = ready.pop(); index !== undefined; index = ready.pop())
    for (const link of nodes[index]?.out ?? []) {
      const target = links[link]?.target ?? 0
      column[target] = Math.max(column[target] ?? 0, (column[index] ?? 0) + 1)
      waits[target] = (waits[target] ?? 0) - 1
      if (waits[target] === 0) ready.push(target)
    }
  const last = column.reduce((most, index) => Math.max(most, index), 0)
  return column.map((index, node) => (nodes[node]?.out.length === 0 ? last : index))
}

/** The nodes of each column. */
export function byColumn(columns: readonly number[]): number[][] {
  const rows: number[][] = []
  for (const [at, column] of columns.entries()) (rows[column] ??= []).push(at)
  return rows
}

/** Number of passes that move columns towards their neighbors, fewer for very large charts to limit the time. */
const rounds = { most: 24, least: 8, enough: 500 }
const maxGap = 10
/** Maximum share of the height for the gaps of a column. */
const maxGapShare = 0.4

/**
 * Lays out nodes as high as their flow, each column centered on the targets of its links.
 * @param isSorted keeps the order of the nodes in each column; otherwise they are reordered to reduce crossings, and `rows` is
 * sorted accordingly
 */
export function layOutSankey(flow: Flow, rows: readonly number[][], height: number, isSorted: boolean): SankeyLayout {
  const { nodes, links } = flow
  // keeps all sums within the range of a double
  const unit = links.reduce((most, link) => Math.max(most, linkWeight(link)), 0) || 1
  const widthOf = (link: number) => linkWeight(links[link]) / unit
  const sum = (all: readonly number[]) => all.reduce((whole, link) => whole + widthOf(link), 0)
  const through = nodes.map((node) => Math.max(sum(node.in), sum(node.out)))
  const most = rows.reduce((count, row) => Math.max(count, row.length), 1)
  const gap = Math.min(maxGap, (maxGapShare * height) / most)
  const scale = rows.reduce((least, row) => {
    const whole = row.reduce((all, index) => all + (through[index] ?? 0), 0)
    return whole > 0 ? Math.min(least, (height - gap * (row.length - 1)) / whole) : least
  }, Infinity)
  const high = through.map((value) => value * (Number.isFinite(scale) ? scale : 0))
  const top = nodes.map(() => 0)
  const middle = (index: number) => (top[index] ?? 0) + (high[index] ?? 0) / 2

  for (const row of rows) {
    let y = 0
    for (const at of row) {
      top[at] = y
      y += (high[at] ?? 0) + gap
    }
    const rest = (height - y + gap) / 2
    for (const at of row) top[at] = (top[at] ?? 0) + rest
  }
  const apart = (row: number[]) => {
    if (!isSorted) row.sort((a, b) => middle(a) - middle(b) || a - b)
    let y = 0
    for (const at of row) {
      top[at] = Math.max(top[at] ?? 0, y)
      y = (top[at] ?? 0) + (high[at] ?? 0) + gap
    }
    let end = height
    for (const at of row.toReversed()) {
      top[at] = Math.min(top[at] ?? 0, end - (high[at] ?? 0))
      end = (top[at] ?? 0) - gap
    }
  }
  const drawn = (index: number, side: 'in' | 'out', strength: number) => {
    const own = nodes[index]?.[side] ?? []
    let [weights, sums] = [0, 0]
    for (const link of own) {
      const weight = widthOf(link)
      const other = side === 'in' ? links[link]?.source : links[link]?.target
      weights += weight
      sums += weight * middle(other ?? 0)
    }
    if (weights > 0) top[index] = (top[index] ?? 0) + (sums / weights - middle(index)) * strength
  }
  const count = links.length > rounds.enough ? rounds.least : rounds.most
  for (let round = 0; round < count; round++) {
    const strength = 0.97 ** round
    for (const row of rows.toReversed()) {
      for (const at of row) drawn(at, 'out', strength)
      apart(row)
    }
    for (const row of rows) {
      for (const at of row) drawn(at, 'in', strength)
      apart(row)
    }
  }

  const ends = links.map((_, link) => ({ from: 0, to: 0, width: widthOf(link) * (Number.isFinite(scale) ? scale : 0) }))
  for (const [at, node] of nodes.entries())
    for (const side of ['in', 'out'] as const) {
      const other = (link: number) => middle((side === 'in' ? links[link]?.source : links[link]?.target) ?? 0)
      let y = top[at] ?? 0
      for (const link of node[side].toSorted((a, b) => other(a) - other(b) || a - b)) {
        const end = ends[link]
        if (!end) continue
        end[side === 'in' ? 'to' : 'from'] = y + end.width / 2
        y += end.width
      }
    }
  return {
    nodes: nodes.map((_, index) => ({ from: top[index] ?? 0, to: (top[index] ?? 0) + (high[index] ?? 0) })),
    links: ends,
  }
}
