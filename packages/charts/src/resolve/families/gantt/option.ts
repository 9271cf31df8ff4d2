import { shorten } from '../../../shared/formats/format.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import { textShape, type GraphicElement } from '../../items/custom-series.ts'
import { toThemeColor, fadedOpacity, isFaded, outline } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { labelSize, computePlotBox } from './axes.ts'
import type { GanttBar, Gantt } from './marks.ts'

interface Api {
  coord(at: [time: number, lane: number]): [number, number]
}
interface Plot {
  x: number
  y: number
  width: number
  height: number
}

/** Keeps bars without a duration visible. */
const minBarWidth = 3
const maxBarHeight = 28
const radius = 2

/** The bars, followed by one item that is not a mark: the row names and the lines between rows. */
export function ganttOption(_: SpecSeries, gantt: Gantt, around: RenderContext) {
  const { bars, name } = gantt
  const place = computePlotBox(gantt, around)
  return {
    type: 'custom',
    name,
    animation: false,
    clip: false,
    // center of the bar, where the keyboard opens the tooltip
    encode: { x: 0, y: 1 },
    data: [...bars.map(({ from, to, lane }) => [from / 2 + to / 2, lane + 0.5]), [0, 0]],
    renderItem({ dataIndex, coordSys }: { dataIndex: number; coordSys: Plot }, api: Api) {
      const bar = bars[dataIndex]
      if (bar) return drawBar(bar, { gantt, plot: coordSys, api }, around)
      return { type: 'group', silent: true, z2: -1, children: drawRows(gantt, place, { plot: coordSys, api }, around) }
    },
  }
}

function drawBar(bar: GanttBar, { gantt, plot, api }: { gantt: Gantt; plot: Plot; api: Api }, around: RenderContext) {
  const [from, top] = api.coord([bar.from, bar.lane])
  const [to, bottom] = api.coord([bar.to, bar.lane + 1])
  if (top < plot.y - 1 || bottom > plot.y + plot.height + 1) return null
  const end = plot.x + plot.width
  if (to < plot.x || from > end) return null
  const left = Math.min(Math.max(from, plot.x), end - minBarWidth)
  const width = Math.max(minBarWidth, Math.min(to, end) - left)
  const band = bottom - top
  const height = Math.min(maxBarHeight, Math.max(1, band * (band > 8 ? 0.7 : 0.9)))
  const fill = toThemeColor(gantt.groups[bar.group]?.color ?? around.theme.axis, around.theme)
  const edge = outline(fill, around.theme)
  // bars in the same lane may overlap
  const line = 'borderColor' in edge ? edge.borderColor : around.theme.surface
  return {
    type: 'rect',
    shape: { x: left, y: top + (band - height) / 2, width, height, r: Math.min(radius, width / 2) },
    style: {
      fill,
      opacity: isFaded(bar.key, around.selected) ? fadedOpacity : 1,
      ...(height > 4 && width > minBarWidth && { stroke: line, lineWidth: 1 }),
    },
    emphasis: { style: { stroke: around.theme.text, lineWidth: 1.5 } },
  }
}

function drawRows(
  { rows, titles }: Gantt,
  { gutter }: ReturnType<typeof computePlotBox>,
  { plot, api }: { plot: Plot; api: Api },
  { theme }: RenderContext,
): GraphicElement[] {
  const label = { size: labelSize, fill: theme.text2, font: theme.font }
  const [low, high] = [plot.y, plot.y + plot.height]
  const shapes: GraphicElement[] = []
  let lane = 0
  let freeFrom = -Infinity
  for (const { name, lanes: own } of rows) {
    const [, top] = api.coord([0, lane])
    const [, bottom] = api.coord([0, lane + own])
    lane += own
    if (bottom < low || top > high) continue
    if (bottom <= high + 1)
      shapes.push({
        type: 'line',
        silent: true,
        shape: { x1: plot.x, y1: bottom, x2: plot.x + plot.width, y2: bottom },
        style: { stroke: theme.grid, lineWidth: 1 },
      })
    const middle = (Math.max(top, low) + Math.min(bottom, high)) / 2
    if (gutter === 0 || middle - labelSize / 2 < freeFrom || Math.min(bottom, high) - Math.max(top, low) < 4) continue
    freeFrom = middle + labelSize / 2 - 1
    shapes.push(
      textShape(plot.x - 8, middle, truncateText(shorten(name), labelSize, gutter), { ...label, align: 'right' }),
    )
  }
  if (titles.y) shapes.push(textShape(8, plot.y - 14, titles.y, { ...label, size: 12 }))
  return shapes
}
