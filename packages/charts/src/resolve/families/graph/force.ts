import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force'
import type { Flow } from '../../flow/marks.ts'

export interface Point {
  x: number
  y: number
}

export interface Forces {
  edgeLength: number
  gravity: number
  repulsion: number
  friction: number
}

/** Maximum node moves over all steps: larger graphs run fewer steps, so that layout stays fast. */
const maxNodeMoves = 20_000
const steps = { least: 8, most: 300 }

/**
 * Force-directed layout: nodes repel each other and links hold them together. It is deterministic: the same flow always has the
 * same layout.
 */
export function layOutForces(flow: Flow, { edgeLength, gravity, repulsion, friction }: Forces): Point[] {
  const nodes: SimulationNodeDatum[] = initialPositions(flow).map(({ x, y }) => ({
    x: x * edgeLength,
    y: y * edgeLength,
  }))
  const count = Math.round(Math.min(steps.most, Math.max(steps.least, maxNodeMoves / Math.max(1, nodes.length))))
  const isMany = nodes.length > 300
  forceSimulation(nodes)
    .stop()
    .alphaDecay(1 - 0.002 ** (1 / count))
    .velocityDecay(0.7 - 0.5 * friction)
    .force('link', forceLink(flow.links.map(({ source, target }) => ({ source, target }))).distance(edgeLength))
    .force(
      'charge',
      forceManyBody()
        .strength(-repulsion * 10)
        .distanceMax(5 * edgeLength)
        .theta(isMany ? 1.8 : 0.9),
    )
    .force('x', forceX(0).strength(gravity / 5))
    .force('y', forceY(0).strength(gravity / 5))
    .force('apart', isMany ? null : forceCollide(edgeLength / 5))
    .tick(count)
  return nodes.map(({ x = 0, y = 0 }) => ({ x, y }))
}

/**
 * Initial layout: rings around the node with the most links, each node outside the node from which it was reached; connected
 * components share the circle.
 */
function initialPositions({ nodes, links }: Flow): Point[] {
  const degree = (index: number) => (nodes[index]?.out.length ?? 0) + (nodes[index]?.in.length ?? 0)
  const next = (index: number) => [
    ...(nodes[index]?.out ?? []).map((link) => links[link]?.target ?? index),
    ...(nodes[index]?.in ?? []).map((link) => links[link]?.source ?? index),
  ]
  const found: { at: number; parent: number; ring: number; leaves: number }[] = []
  const placeOf = new Map<number, number>()
  for (const root of [...nodes.keys()].toSorted((a, b) => degree(b) - degree(a) || a - b)) {
    if (placeOf.has(root)) continue
    let here = found.push({ at: root, parent: -1, ring: 1, leaves: 0 }) - 1
    placeOf.set(root, here)
    for (; here < found.length; here++) {
      const { at, ring } = found[here] as (typeof found)[number]
      for (const other of next(at))
        if (!placeOf.has(other))
          placeOf.set(other, found.push({ at: other, parent: here, ring: ring + 1, leaves: 0 }) - 1)
    }
  }
  let whole = 0
  for (const node of found.toReversed()) {
    node.leaves ||= 1
    const above = found[node.parent]
    if (above) above.leaves += node.leaves
    else whole += node.leaves
  }
  const points = nodes.map(() => ({ x: 0, y: 0 }))
  const from = new Map<number, number>()
  for (const [place, { at, parent, ring, leaves }] of found.entries()) {
    const start = from.get(parent) ?? 0
    from.set(parent, start + leaves)
    from.set(place, start)
    const angle = (2 * Math.PI * (start + leaves / 2)) / whole
    const isMiddle = ring === 1 && leaves === whole
    const radius = isMiddle ? 0 : ring
    points[at] = { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
  }
  return points
}
