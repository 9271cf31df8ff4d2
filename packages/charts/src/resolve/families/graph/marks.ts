import { readFlow, selectNodes, type Flow } from '../../flow/marks.ts'
import type { SpecSeries } from '../family.ts'
import { layOutForces, type Forces, type Point } from './force.ts'

export interface Graph extends Flow {
  /** Positions of the nodes, in layout units. */
  points: Point[]
  /** Bounds of all nodes, including hidden ones. */
  ends: { left: number; top: number; right: number; bottom: number }
  categories: { name: string; color: string }[]
}

/** Cached layouts, which depend neither on theme nor on size. */
const layoutCache = new WeakMap<SpecSeries, Point[]>()

export function readGraph(series: SpecSeries): Graph {
  const { links, ...whole } = readFlow(series)
  const loops = links.flatMap(({ source, target }) => (source === target ? [whole.nodes[source]?.name ?? ''] : []))
  const flow = selectNodes(
    {
      ...whole,
      links: links.filter(({ source, target }) => source !== target),
      omissions: { ...whole.omissions, loops },
    },
    [...whole.nodes.keys()],
  )
  const known = layoutCache.get(series)
  const points =
    known ??
    (series.layout === 'circular' ? layOutCircle(flow.nodes.length) : layOutForces(flow, series.forces as Forces))
  layoutCache.set(series, points)
  const ends = points.reduce(
    ({ left, top, right, bottom }, { x, y }) => ({
      left: Math.min(left, x),
      top: Math.min(top, y),
      right: Math.max(right, x),
      bottom: Math.max(bottom, y),
    }),
    { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity },
  )
  return { ...flow, points, ends, categories: (series.categories ?? []) as Graph['categories'] }
}

export function withoutCategories(graph: Graph, hidden: ReadonlySet<string>): Graph {
  const shown = [...graph.nodes.keys()].filter((index) => !hidden.has(graph.nodes[index]?.category ?? ''))
  return { ...graph, ...selectNodes(graph, shown), points: shown.map((index) => graph.points[index] ?? { x: 0, y: 0 }) }
}

/** Points clockwise from the top. */
const layOutCircle = (count: number): Point[] =>
  Array.from({ length: count }, (_, index) => {
    const angle = 2 * Math.PI * (index / count - 0.25)
    return { x: Math.cos(angle), y: Math.sin(angle) }
  })
