import { mixColors } from '../../../shared/colors/ramps.ts'
import { formatter, shorten } from '../../../shared/formats/format.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { customSeries, textShape, type CustomDrawing, type GraphicElement } from '../../items/custom-series.ts'
import type { Items } from '../../items/items-family.ts'
import { toThemeColor } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { arrangeLabels, buildBulletScale, type BulletItem, type PlacedLabel, type BulletScale } from './layout.ts'

const edge = 12
const size = 11
const rowHeight = 16
const nameSize = 12
const valueSize = 20
const headHeight = 30
const triangle = 9
/** Minimum heights of a chart that shows the number, names, and more than one row of names. */
const minHeights = { number: 72, names: 110, rows: 150 }
/** Height of the band. */
const bandHeight = { least: 12, most: 48 }
/** How far the innermost and the outermost range are mixed towards the background. */
const shades = { first: 0.45, last: 0.8 }

interface Box {
  top: number
  height: number
}

/** The band with its ranges, the bar inside it, markers on it, and numbers below. */
export const bulletOption = (series: SpecSeries, marks: Items<BulletItem>, around: RenderContext) =>
  customSeries(marks.name, marks.items.length, (width, height) =>
    drawBullet(series, marks, { ...around, width, height }),
  )

function drawBullet(
  series: SpecSeries,
  { name, color, items }: Items<BulletItem>,
  around: RenderContext,
): CustomDrawing {
  const { theme, locale, width, height } = around
  const write = formatter(typeof series.format === 'string' ? series.format : 'SMART_NUMBER', locale)
  const measure = items.find(({ role }) => role === 'measure')
  const values = items.flatMap(({ value }) => value ?? [])
  const [left, right] = [edge, Math.max(edge + 40, width - edge)]
  const widest = values.reduce((most, value) => Math.max(most, textWidth(write(value), size)), 0)
  const isOpen = !items.some(({ role }) => role === 'range')
  const scale = buildBulletScale(values, { left, right, isOpen, between: widest + 24 })
  const labelOf = ({ name: text, value }: BulletItem, at: number) => ({
    at,
    text: truncateText(shorten(text), size, (right - left) / 2),
    x: scale.x(value ?? 0),
  })
  const all = items.map((item, index) => ({ item, at: index }))
  const marked = all.filter(({ item: { role, isNamed } }) => isNamed && (role === 'marker' || role === 'line'))
  const above = arrangeLabels(
    marked.map(({ item, at }) => labelOf(item, at)),
    { size, left: 4, right: width - 4, most: height < minHeights.names ? 0 : height < minHeights.rows ? 1 : 3 },
  )
  const below = height < minHeights.names ? [] : rangeLabels(items, scale)
  const head = height < minHeights.number ? 0 : headHeight
  const rows = above.reduce((most, { row }) => Math.max(most, row + 1), 0)
  const hasMarkers = items.some(({ role }) => role === 'marker')
  const over = head + rows * rowHeight + (hasMarkers ? triangle : 4)
  const under = rowHeight + 6 + (below.length > 0 ? rowHeight : 0)
  const high = Math.min(bandHeight.most, Math.max(bandHeight.least, height - over - under - 2 * edge))
  const box: Box = { top: Math.max(0, (height - over - high - under) / 2) + over, height: high }

  const shapes = items.map((item, index) =>
    drawItem(item, { items, at: index, scale, box, fill: toThemeColor(color, theme) }, around),
  )
  const beside = [
    ...(head > 0 ? drawHead(name, write(measure?.value), box.top - over, around) : []),
    ...drawMarkLabels(above, box, hasMarkers, around),
    ...scale.ticks.flatMap((tick) => drawTick(scale.x(tick), write(tick), box, around)),
    ...below.map(({ text, middle }) =>
      textShape(middle, box.top + box.height + 6 + rowHeight * 1.5, text, {
        size,
        fill: theme.text2,
        font: theme.font,
        align: 'center',
      }),
    ),
  ]
  return { marks: shapes, beside }
}

interface ItemPlacement {
  items: readonly BulletItem[]
  at: number
  scale: BulletScale
  box: Box
  fill: string
}

function drawItem(
  { role, value }: BulletItem,
  { items, at, scale, box, fill }: ItemPlacement,
  { theme }: RenderContext,
): GraphicElement[] {
  if (value === null) return []
  const x = scale.x(value)
  const zero = scale.x(0)
  const rect = (top: number, height: number) => ({ x: Math.min(x, zero), y: top, width: Math.abs(x - zero), height })
  switch (role) {
    case 'range': {
      const { rank, count } = findRank(items, at)
      const shade = count < 2 ? shades.last : shades.first + ((shades.last - shades.first) * rank) / (count - 1)
      // smaller ranges are drawn in front of larger ones
      const style = { fill: mixColors(theme.axis, theme.surface, shade) }
      return [{ type: 'rect', z2: count - rank, shape: rect(box.top, box.height), style }]
    }
    case 'measure': {
      const thick = Math.max(4, box.height * 0.36)
      return [{ type: 'rect', z2: 100, shape: rect(box.top + (box.height - thick) / 2, thick), style: { fill } }]
    }
    case 'line':
      return [
        {
          type: 'rect',
          z2: 110,
          shape: { x: x - 1, y: box.top - 2, width: 2, height: box.height + 4 },
          style: { fill: theme.text },
        },
      ]
    case 'marker': {
      const [top, half] = [box.top - triangle, triangle * 0.6]
      return [
        {
          type: 'polygon',
          z2: 120,
          shape: {
            points: [
              [x - half, top],
              [x + half, top],
              [x, box.top + 2],
            ],
          },
          style: { fill: theme.text, stroke: theme.surface, lineWidth: 1 },
        },
      ]
    }
  }
}

/** Rank of a range, counted from the one nearest to zero. */
function findRank(items: readonly BulletItem[], at: number): { rank: number; count: number } {
  const sizes = items
    .flatMap(({ role, value }, i) => (role === 'range' ? [{ i, size: Math.abs(value ?? 0) }] : []))
    .toSorted((a, b) => a.size - b.size)
  return { rank: sizes.findIndex(({ i }) => i === at), count: sizes.length }
}

/** Labels centered under the visible part of each range. */
function rangeLabels(items: readonly BulletItem[], scale: BulletScale): { text: string; middle: number }[] {
  const ranges = items
    .flatMap(({ role, name, value, isNamed = false }) => (role === 'range' && value ? [{ name, value, isNamed }] : []))
    .toSorted((a, b) => Math.abs(a.value) - Math.abs(b.value))
  return ranges.flatMap(({ name, value, isNamed }, index) => {
    const inside = ranges.slice(0, index).findLast((one) => one.value > 0 === value > 0)?.value ?? 0
    const [from, to] = [scale.x(inside), scale.x(value)].toSorted((a, b) => a - b) as [number, number]
    const text = truncateText(shorten(name), size, to - from - 6)
    return isNamed && to - from > 2 * size && text !== '…' ? [{ text, middle: (from + to) / 2 }] : []
  })
}

function drawHead(name: string, value: string, top: number, { theme, width }: RenderContext): GraphicElement[] {
  const text = truncateText(shorten(name), nameSize, (width - 2 * edge) / 2)
  const after = edge + textWidth(text, nameSize) + (text ? 10 : 0)
  const y = top + headHeight / 2 - 4
  return [
    textShape(edge, y + 2, text, { size: nameSize, fill: theme.text2, font: theme.font }),
    textShape(after, y, truncateText(shorten(value), valueSize, width - edge - after), {
      size: valueSize,
      fill: theme.text,
      font: theme.font,
      weight: 600,
    }),
  ]
}

/** Names of the markers; names in upper rows have a leader line if it does not cross another name. */
function drawMarkLabels(
  above: readonly PlacedLabel[],
  box: Box,
  hasMarkers: boolean,
  { theme }: RenderContext,
): GraphicElement[] {
  const ground = box.top - (hasMarkers ? triangle : 4)
  return above.flatMap(({ text, x, middle, row }): GraphicElement[] => {
    const y = ground - rowHeight * (row + 0.5)
    const isFree = above.every(
      (other) => other.row >= row || Math.abs(other.middle - x) > textWidth(other.text, size) / 2 + 2,
    )
    const thread = { type: 'line', silent: true, shape: { x1: x, y1: y + rowHeight / 2, x2: x, y2: box.top } }
    return [
      ...(row > 0 && isFree ? [{ ...thread, style: { stroke: theme.axis, lineWidth: 1 } }] : []),
      textShape(middle, y, text, { size, fill: theme.text2, font: theme.font, align: 'center' }),
    ]
  })
}

function drawTick(x: number, text: string, box: Box, { theme, width }: RenderContext): GraphicElement[] {
  const bottom = box.top + box.height
  const half = textWidth(text, size) / 2
  if (half > width / 4) return []
  const middle = Math.min(width - 2 - half, Math.max(2 + half, x))
  return [
    {
      type: 'line',
      silent: true,
      shape: { x1: x, y1: bottom, x2: x, y2: bottom + 4 },
      style: { stroke: theme.axis, lineWidth: 1 },
    },
    textShape(middle, bottom + 6 + rowHeight / 2, text, { size, fill: theme.tick, font: theme.font, align: 'center' }),
  ]
}
