import { shorten } from '../../../shared/formats/format.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { relatedTo } from '../../flow/marks.ts'
import { describeOmissions } from '../../flow/texts.ts'
import { customSeries, textShape, type CustomDrawing, type GraphicElement } from '../../items/custom-series.ts'
import { buildFootnote } from '../../footnote.ts'
import { toThemeColor, outline } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import type { Sankey } from './family.ts'
import { byColumn, layOutSankey, type SankeyLayout } from './layout.ts'

const size = 12
const lineHeight = 15
const edge = 8
/** Gap between a node and its label. */
const gap = 5
const maxNodeWidth = 14
/** Maximum share of the width for names after the last column. */
const maxNameShare = 0.28
/** Minimum width for a name. */
const minNameWidth = 24

/** Links below, nodes above them, names beside the nodes. */
export const sankeyOption = (_: SpecSeries, flow: Sankey, around: RenderContext) =>
  customSeries(flow.name, flow.nodes.length + flow.links.length, (width, height) =>
    drawSankey(flow, { ...around, width, height }),
  )

function drawSankey(flow: Sankey, around: RenderContext): CustomDrawing {
  const { nodes, links, columns } = flow
  const { theme } = around
  const rows = byColumn(columns)
  const note = buildFootnote(describeOmissions(flow, around), around).height
  const height = Math.max(1, around.height - 2 * edge - note)
  const heights = layOutSankey(flow, rows, height, true)
  const namesOf = (row: readonly number[]) => row.map((at) => toSingleLine(nodes[at]?.name ?? ''))
  const widest = namesOf(rows.at(-1) ?? []).reduce((most, name) => Math.max(most, textWidth(name, size)), 0)
  const right = Math.min(widest + gap + 2, around.width * maxNameShare)
  const inner = Math.max(1, around.width - 2 * edge - right)
  const step = inner / Math.max(1, rows.length - 1)
  const wide = Math.min(maxNodeWidth, step / 3)
  const across = (inner - wide) / Math.max(1, rows.length - 1)
  const leftOf = (node: number) => edge + (columns[node] ?? 0) * across
  const room = (column: number) => (column === rows.length - 1 ? right - gap : across - wide - 2 * gap)
  const written = findReadableNames(flow, heights, room)

  const bars = nodes.map((node, index): GraphicElement[] => {
    const { from, to } = heights.nodes[index] ?? { from: 0, to: 0 }
    const color = toThemeColor(node.color, theme)
    const shape = { x: leftOf(index), y: edge + from, width: wide, height: Math.max(0.5, to - from) }
    const { borderColor, borderWidth } = outline(color, theme) as { borderColor?: string; borderWidth?: number }
    const bar = {
      type: 'rect',
      z2: 2,
      shape,
      style: { fill: color, ...(borderColor && shape.height > 3 && { stroke: borderColor, lineWidth: borderWidth }) },
    }
    const name = written[index]
    if (!name) return [bar]
    const label = textShape(shape.x + wide + gap, edge + (from + to) / 2, name, {
      size,
      fill: theme.text,
      font: theme.font,
    })
    const halo = { stroke: theme.surface, lineWidth: 2.5, ...(label.style as GraphicElement) }
    return [bar, { ...label, z2: 3, style: halo }]
  })
  const bands = links.map(({ source, target }, index): GraphicElement[] => {
    const { from, to, width } = heights.links[index] ?? { from: 0, to: 0, width: 0 }
    const [x1, x2] = [leftOf(source) + wide, leftOf(target)]
    const middle = (x1 + x2) / 2
    const shape = {
      x1,
      y1: edge + from,
      x2,
      y2: edge + to,
      cpx1: middle,
      cpy1: edge + from,
      cpx2: middle,
      cpy2: edge + to,
    }
    return [
      {
        type: 'bezierCurve',
        z2: 1,
        shape,
        style: {
          stroke: toThemeColor(nodes[source]?.color ?? '', theme),
          lineWidth: Math.max(0.5, width),
          opacity: theme.name === 'dark' ? 0.4 : 0.3,
          fill: null,
        },
        emphasis: { style: { opacity: 0.65 } },
        blur: { style: { opacity: 0.08 } },
      },
    ]
  })
  return { marks: [...bars, ...bands], beside: [], related: relatedTo(flow) }
}

const toSingleLine = (name: string) => shorten(name.replaceAll('\n', ' '))

/** Names that do not overlap within their column, larger nodes first; empty for names that do not fit. */
function findReadableNames(
  { nodes, columns }: Sankey,
  heights: SankeyLayout,
  room: (column: number) => number,
): string[] {
  const names = nodes.map(() => '')
  const middle = (at: number) => {
    const { from = 0, to = 0 } = heights.nodes[at] ?? {}
    return (from + to) / 2
  }
  const high = (at: number) => {
    const { from = 0, to = 0 } = heights.nodes[at] ?? {}
    return to - from
  }
  const rows = byColumn(columns)
  for (const [column, row] of rows.entries()) {
    // space after the last column is reserved for its names
    if (room(column) < minNameWidth && column < rows.length - 1) continue
    const lines = new Map<number, number[]>()
    for (const at of row.toSorted((a, b) => high(b) - high(a) || a - b)) {
      const line = Math.floor(middle(at) / lineHeight)
      const near = [line - 1, line, line + 1].flatMap((each) => lines.get(each) ?? [])
      if (near.some((other) => Math.abs(other - middle(at)) < lineHeight)) continue
      lines.set(line, [...(lines.get(line) ?? []), middle(at)])
      names[at] = truncateText(toSingleLine(nodes[at]?.name ?? ''), size, room(column))
    }
  }
  return names
}
