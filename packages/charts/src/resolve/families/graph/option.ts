import { shorten } from '../../../shared/formats/format.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { describeOmissions } from '../../flow/texts.ts'
import { buildFootnote } from '../../footnote.ts'
import { toThemeColor, fadedOpacity, isFaded, outline } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import type { Point } from './force.ts'
import type { Graph } from './marks.ts'

interface GraphSeries extends SpecSeries {
  layout: 'force' | 'circular'
  sizes: { node: number; edge: number }
  symbols: [source: string, target: string]
  draggable: boolean
  roam: boolean | 'scale' | 'move'
  selectedMode: 'single' | 'multiple' | false
  /** Nodes with a smaller number have no label. */
  labelFrom: number
}

const size = 12
const edge = 8
const gap = 5
const maxLabelWidth = 140
/** Chart area per name, in square pixels; with more nodes only the largest have names. */
const areaPerLabel = 4000
/** Maximum number of links with arrows; beyond it directions are unrecognizable. */
const maxArrowLinks = 1000
/** Smallest and largest size, relative to the configured one. */
const minSizeFactor = 0.5
const maxSizeFactor = 2
/** Maximum share of the chart covered by all nodes, and by all links. */
const maxCover = { nodes: 0.08, links: 0.8 }
const linkOpacity = 0.55
/** Maximum stretch of a layout in one direction relative to the other. */
const pull = 1.7
/** Curvature that keeps two links between the same nodes apart. */
const bend = 0.12

export function graphOption(given: SpecSeries, graph: Graph, around: RenderContext) {
  const series = given as GraphSeries
  const { nodes, links } = graph
  const { theme, selected } = around
  const points = projectPoints(graph, series, around)
  const { node: symbolSize, line, opacity } = computeSizes(graph, series, around)
  const numbers = nodeTotals(nodes)
  const room = Math.max(12, Math.round((around.width * around.height) / areaPerLabel))
  const largest = new Set([...nodes.keys()].toSorted((a, b) => (numbers[b] ?? 0) - (numbers[a] ?? 0)).slice(0, room))
  const isChosen = links.map(({ key }) => Boolean(selected) && !isFaded(key, selected))
  const joined = new Set(links.flatMap(({ source, target }, index) => (isChosen[index] ? [source, target] : [])))
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [left, top, right, bottom] = [lowest(xs), lowest(ys), highest(xs), highest(ys)]
  // ECharts stretches the layout to fill its box, so the box is set to the bounds of the layout
  const box = {
    left: right > left ? left : left - 1,
    top: bottom > top ? top : top - 1,
    width: right - left || 2,
    height: bottom - top || 2,
  }
  return {
    type: 'graph',
    // keeps the zoom when the data changes
    id: 'graph',
    name: graph.name,
    layout: 'none',
    ...box,
    roam: series.roam,
    draggable: series.draggable,
    selectedMode: series.selectedMode,
    animation: false,
    edgeSymbol: links.length > maxArrowLinks ? 'none' : series.symbols,
    edgeSymbolSize: 3 + 1.5 * Math.min(4, series.sizes.edge),
    data: nodes.map((node, index) => {
      const { x, y } = points[index] ?? { x: 0, y: 0 }
      const color = toThemeColor(node.color, theme)
      return {
        id: String(index),
        name: node.name,
        x,
        y,
        symbolSize: symbolSize[index],
        itemStyle: {
          color,
          ...(isFaded(node.key, selected) && !joined.has(index) && { opacity: fadedOpacity }),
          ...outline(color, theme),
        },
        ...(largest.has(index) &&
          (numbers[index] ?? 0) >= series.labelFrom && {
            label: {
              show: true,
              position: labelSide(series, x, around),
              // ECharts would interpret placeholders in a plain string
              formatter: () => toLabel(node.name),
            },
          }),
      }
    }),
    links: links.map(({ source, target }, index) => ({
      source,
      target,
      lineStyle: { width: line[index], ...(selected && !isChosen[index] && { opacity: 0.1 }) },
    })),
    lineStyle: { color: theme.axis, curveness: bend, opacity },
    label: {
      show: false,
      distance: gap,
      color: theme.text,
      textBorderColor: theme.surface,
      textBorderWidth: 2.5,
      fontSize: size,
      fontFamily: theme.font,
    },
    labelLayout: { hideOverlap: true },
    emphasis: { focus: 'adjacency', lineStyle: { color: theme.tick, opacity: 0.9 } },
    blur: { itemStyle: { opacity: 0.25 }, lineStyle: { opacity: 0.08 }, label: { opacity: 0.3 } },
    select: { itemStyle: { borderColor: theme.text, borderWidth: 2, opacity: 1 }, label: { fontWeight: 600 } },
  }
}

/** Tooltip position of a link: its middle, in pixels of the box of the series. */
export function findLinkMidpoint(
  graph: Graph,
  at: number,
  series: SpecSeries,
  around: RenderContext,
): [number, number] {
  const points = projectPoints(graph, series as GraphSeries, around)
  const { source, target } = graph.links[at] ?? { source: 0, target: 0 }
  const [a, b] = [points[source] ?? { x: 0, y: 0 }, points[target] ?? { x: 0, y: 0 }]
  const bent = bend / 2
  return [(a.x + b.x) / 2 - (a.y - b.y) * bent, (a.y + b.y) / 2 - (b.x - a.x) * bent]
}

const toLabel = (name: string) => truncateText(shorten(name.replaceAll('\n', ' ')), size, maxLabelWidth)

/** Places names towards the middle where they might leave the chart, and outside a circle. */
function labelSide({ layout }: GraphSeries, x: number, { width }: RenderContext): 'left' | 'right' {
  if (layout === 'circular') return x < width / 2 - 1 ? 'left' : 'right'
  return x > width * 0.7 ? 'left' : 'right'
}

/** Numbers that determine the size of the nodes. */
const nodeTotals = (nodes: Graph['nodes']) => nodes.map(({ sent, received }) => Math.abs(sent + received))

const lowest = (all: readonly number[]) => all.reduce((low, each) => Math.min(low, each), all[0] ?? 0)
const highest = (all: readonly number[]) => all.reduce((high, each) => Math.max(high, each), all[0] ?? 0)

/** Positions of the nodes in pixels. Hidden nodes keep their space, so that the others do not move. */
function projectPoints(graph: Graph, series: GraphSeries, around: RenderContext): Point[] {
  const note = buildFootnote(describeOmissions(graph, around), around).height
  const { ends } = graph
  const radius = (series.sizes.node * maxSizeFactor) / 2
  const names =
    series.layout === 'circular'
      ? graph.nodes.reduce((widest, { name }) => Math.max(widest, textWidth(toLabel(name), size)), 0) + gap
      : 0
  const aside = Math.min(edge + radius + names, around.width * 0.3)
  const above = Math.min(edge + Math.max(radius, size), around.height * 0.25)
  const room = { width: around.width - 2 * aside, height: around.height - note - 2 * above }
  const [wide, high] = [ends.right - ends.left || 1, ends.bottom - ends.top || 1]
  const scale = { x: room.width / wide, y: room.height / high }
  const pulled = series.layout === 'circular' ? 1 : pull
  const x = Math.min(scale.x, scale.y * pulled)
  const y = Math.min(scale.y, scale.x * pulled)
  const center = { x: aside + room.width / 2, y: above + room.height / 2 }
  const middle = { x: (ends.left + ends.right) / 2, y: (ends.top + ends.bottom) / 2 }
  return graph.points.map((point) => ({
    x: center.x + (point.x - middle.x) * x,
    y: center.y + (point.y - middle.y) * y,
  }))
}

/** Scales nodes and links by their numbers, and reduces all of them when they would fill the chart. */
function computeSizes({ nodes, links }: Graph, { sizes }: GraphSeries, { width, height }: RenderContext) {
  const between = (values: readonly number[], base: number) => {
    const [low, high] = [lowest(values), highest(values)]
    return values.map(
      (value) =>
        base * (high > low ? minSizeFactor + ((value - low) / (high - low)) * (maxSizeFactor - minSizeFactor) : 1),
    )
  }
  const node = between(nodeTotals(nodes), sizes.node)
  const line = between(
    links.map(({ value }) => Math.abs(value ?? 0)),
    sizes.edge,
  )
  const area = width * height
  const covered = node.reduce((sum, diameter) => sum + (Math.PI * diameter ** 2) / 4, 0)
  const part = Math.min(1, Math.sqrt((maxCover.nodes * area) / Math.max(1, covered)))
  // assumes that each link crosses a third of the chart
  const inked = (line.reduce((sum, wide) => sum + wide, 0) * Math.hypot(width, height)) / 3
  const fine = Math.min(part, (maxCover.links * area) / Math.max(1, inked))
  return {
    node: node.map((all) => Math.max(2, all * part)),
    line: line.map((all) => Math.max(0.4, all * fine)),
    // lines that cannot be thinner are drawn lighter
    opacity: linkOpacity * Math.max(0.5, Math.min(1, fine * 3)),
  }
}
