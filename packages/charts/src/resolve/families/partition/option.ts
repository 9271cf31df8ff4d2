import { textColorOn } from '../../../shared/colors/color.ts'
import { mixColors } from '../../../shared/colors/ramps.ts'
import { formatter, nullText, shorten } from '../../../shared/formats/format.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { customSeries, textShape, type GraphicElement } from '../../items/custom-series.ts'
import { describeNegatives, buildFootnote } from '../../footnote.ts'
import { toThemeColor, othersColor } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import type { Partition, PartitionRect } from './marks.ts'

const size = 12
const lineHeight = 16
const padding = 7
/** Gap between the partitions of several metrics. */
const gap = 8
/** How far each column is mixed towards the background relative to the previous one, and the maximum. */
const paler = { step: 0.18, most: 0.55 }
/** Width of bold text relative to regular text. */
const boldWidthFactor = 1.08
/** Minimum width of a truncated name. */
const minNameWidth = 24

/** Columns of rectangles, each beside the part that it divides. */
export const partitionOption = (_: SpecSeries, marks: Partition, around: RenderContext) =>
  customSeries(marks.name, marks.items.length, (width, height) => ({
    marks: drawRects(marks, { ...around, width, height }),
    beside: [],
  }))

function drawRects(marks: Partition, around: RenderContext): GraphicElement[][] {
  const { items } = marks
  const height = around.height - buildFootnote(buildPartitionNote(marks, around), around).height
  const columns = 1 + items.reduce((most, { level }) => Math.max(most, level), 0)
  const wide = around.width / columns
  const roots = items.filter(({ parent }) => parent === null)
  const high = height - gap * (roots.length - 1)
  let root = -1
  // each column is lightened relative to the first one with the same color
  const bases = new Map<string, number>()
  for (const { color, level } of items) if (!bases.has(color)) bases.set(color, level)
  return items.map((item, index): GraphicElement[] => {
    if (item.parent === null) root += 1
    const [top, bottom] = [item.from * high + root * gap, item.to * high + root * gap]
    if (bottom - top < 0.2) return []
    const box = { x: item.level * wide, y: top, width: wide, height: bottom - top }
    const fill = resolveFill(item, bases.get(item.color) ?? 0, around)
    return [
      {
        type: 'rect',
        shape: box,
        style: { fill, ...(box.height >= 3 && { stroke: around.theme.surface, lineWidth: 1 }) },
      },
      ...drawLabel(item, index, marks, { box, ink: textColorOn(fill) }, around),
    ]
  })
}

function resolveFill({ color, level, isOthers }: PartitionRect, base: number, { theme }: RenderContext): string {
  if (isOthers) return mixColors(othersColor, theme.surface, 0.5)
  if (!color) return theme.grid
  return mixColors(toThemeColor(color, theme), theme.surface, Math.min(paler.most, paler.step * (level - base)))
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/**
 * Label with name and number. A name may be truncated, but a number is omitted if it does not fit, because missing digits would
 * go unnoticed.
 */
function drawLabel(
  item: PartitionRect,
  at: number,
  marks: Partition,
  { box, ink }: { box: Box; ink: string },
  around: RenderContext,
): GraphicElement[] {
  const room = box.width - 2 * padding
  if (box.height < lineHeight - 2 || room < minNameWidth) return []
  const number = formatter(marks.format, around.locale)(item.value)
  const isSaid = item.value !== null || item.isLeaf || marks.change !== undefined
  const value = !isSaid ? '' : marks.change ? (changeText(item, marks, around) ?? nullText) : number
  const name = at === 0 && marks.around.length > 0 ? [...marks.around, item.name].join(' / ') : item.name
  const hasRoom = textWidth(value, size) <= room
  const look = { size, fill: ink, font: around.theme.font }
  const [x, middle] = [box.x + padding, box.y + box.height / 2]
  const short = (text: string, width: number) => truncateText(shorten(text), size, width)
  if (value && hasRoom && box.height >= 2 * lineHeight + 4)
    return [
      textShape(x, middle - lineHeight / 2, short(name, room / boldWidthFactor), { ...look, weight: 600 }),
      textShape(x, middle + lineHeight / 2, value, look),
    ]
  const beside = room - textWidth(value, size) - padding
  if (beside < Math.min(textWidth(shorten(name), size), 2 * minNameWidth))
    return [textShape(x, middle, short(name, room), look)]
  return [
    textShape(x, middle, short(name, beside), look),
    textShape(box.x + box.width - padding, middle, value, { ...look, align: 'right' }),
  ]
}

/** Share of the outermost part that has a number, which is a metric or one of its periods. */
export function formatRootShare(items: readonly PartitionRect[], at: number, { locale }: RenderContext): string | null {
  let root = at
  for (let up = items[at]?.parent ?? null; up !== null; up = items[up]?.parent ?? null)
    if (items[up]?.value !== null) root = up
  const [whole, value] = [items[root]?.value ?? 0, items[at]?.value]
  return root === at || whole <= 0 || typeof value !== 'number' ? null : formatter(',.1~%', locale)(value / whole)
}

/** Formats the change; null if there is no previous value. */
export function changeText({ change }: PartitionRect, marks: Partition, { locale }: RenderContext): string | null {
  if (change === null || change === undefined) return null
  switch (marks.change?.as) {
    case 'percent':
      return formatter('+,.1~%', locale)(change)
    case 'factor':
      return `× ${formatter(',.2~f', locale)(change)}`
    default:
      return `${change > 0 ? '+' : ''}${formatter(marks.format, locale)(change)}`
  }
}

/** Explains sizes that do not represent the numbers, and numbers that cannot be drawn. */
export function buildPartitionNote({ change, isLog, negatives }: Partition, around: RenderContext): string {
  const { translate } = around
  return [
    change &&
      translate('picture.partition.change', 'Sizes show {until}. Labels show the change since {since}.', {
        until: change.until,
        since: change.since,
      }),
    isLog && translate('picture.partition.log', 'Heights use a logarithmic scale.'),
    describeNegatives(negatives, around),
  ]
    .filter(Boolean)
    .join(' ')
}
