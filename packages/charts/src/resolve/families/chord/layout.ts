import { linkWeight, type Flow } from '../../flow/marks.ts'

/** Start and end on the ring, as shares of a turn from the top. */
export interface Arc {
  from: number
  to: number
}

/** Share of the circle reserved for gaps between nodes. */
const gapShare = 0.25
const maxGap = 0.008

/**
 * Lays out the ring. Each node gets a share of the ring that matches its incoming and outgoing links; link ends are sorted by the
 * nodes they lead to, so that adjacent links do not cross.
 */
export function layOutRing({ nodes, links }: Flow): { nodes: Arc[]; links: { source: Arc; target: Arc }[] } {
  // keeps all sums within the range of a double
  const unit = links.reduce((most, link) => Math.max(most, linkWeight(link)), 0) || 1
  const widthOf = (link: number) => linkWeight(links[link]) / unit
  const whole = links.reduce((sum, _, index) => sum + 2 * widthOf(index), 0) || 1
  const gap = nodes.length > 1 ? Math.min(maxGap, gapShare / nodes.length) : 0
  const turn = 1 - gap * nodes.length
  const ends = links.map(() => ({ source: { from: 0, to: 0 }, target: { from: 0, to: 0 } }))
  let at = 0
  const arcs = nodes.map((node, place): Arc => {
    const from = at
    /** Distance to the other end, in nodes. */
    const away = (other: number | undefined) => ((other ?? place) - place + nodes.length) % nodes.length
    const own = [
      ...node.out.map((link) => ({ link, side: 'source' as const, away: away(links[link]?.target) })),
      ...node.in.map((link) => ({ link, side: 'target' as const, away: away(links[link]?.source) })),
    ].toSorted((a, b) => b.away - a.away)
    for (const { link, side } of own) {
      const end = ends[link]?.[side]
      if (!end) continue
      end.from = at
      at += (widthOf(link) / whole) * turn
      end.to = at
    }
    const arc = { from, to: at }
    at += gap
    return arc
  })
  return { nodes: arcs, links: ends }
}
