import { formatter } from '../../../shared/formats/format.ts'
import { resolveLocale } from '../../../shared/formats/locale.ts'
import { formatAxisTimes } from '../../../shared/formats/time.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { timeTicks } from '../../axes/time-ticks.ts'
import { customSeries, textShape, type CustomDrawing, type GraphicElement } from '../../items/custom-series.ts'
import { rampLegend } from '../../items/ramp-legend.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { bandColors, bandPath, splitAtGaps } from './bands.ts'
import { lengthOf, type HorizonRow, type HorizonMarks } from './rows.ts'

const edge = 8
const size = 11
const lineHeight = 14
/** Minimum height of a row with a name; rows that don't fit are dropped. */
const minRowHeight = 14
const foot = { axis: 2 * lineHeight + 8, legend: 26, note: 16 }
/** Minimum height of a chart with axis, legend and names; lower ones, such as cards, show rows only. */
const minFullHeight = 180
/** Minimum width of a pointer target. */
const minHitWidth = 2
/** Maximum characters of a name: no chart shows more, and measuring very long texts is slow. */
const maxNameLength = 100

/** One row of bands per series, with its name before it and the limit of its bands after it. */
export const horizonOption = (series: SpecSeries, marks: HorizonMarks, around: RenderContext) =>
  customSeries(marks.name, marks.items.length, (width, height) =>
    drawHorizon(marks, Number(series.height), { ...around, width, height }),
  )

interface PlotArea {
  left: number
  right: number
  /** x coordinates of the positions along the axis, in pixels. */
  xs: number[]
  rowHeight: number
}

function drawHorizon(given: HorizonMarks, preferredHeight: number, around: RenderContext): CustomDrawing {
  const { theme, width, height, locale, translate } = around
  const isSmall = height < minFullHeight
  const room = height - 2 * edge - (isSmall ? 0 : foot.axis + foot.legend)
  const least = isSmall ? 2 : minRowHeight
  const allRowsFit = given.rows.length * least <= room
  const rowHeight = Math.max(least, Math.min(preferredHeight, Math.floor(room / given.rows.length)))
  const rows = given.rows.slice(0, allRowsFit ? undefined : Math.max(1, Math.floor((room - foot.note) / rowHeight)))
  const missing = given.rows.length - rows.length
  const write = formatter(given.format, locale)
  const reaches = rows.map(({ reach }) => `±${write(reach)}`)
  const hasReaches = !isSmall && given.scale !== 'overall'
  const widest = (texts: readonly string[]) =>
    texts.reduce((most, text) => Math.max(most, textWidth(text.slice(0, maxNameLength), size)), 0)
  const gutter = isSmall ? 0 : Math.min(width / 4, widest(rows.map(({ name }) => name)) + 8)
  const left = edge + gutter
  const right = width - edge - (hasReaches ? widest(reaches) + 8 : 0)
  const plot: PlotArea = { left, right, rowHeight, xs: computeXs(given, left, right) }
  const end = edge + rows.length * rowHeight
  const label = { size, fill: theme.text2, font: theme.font }
  const shapes = rows.flatMap((row, index) => {
    const top = edge + index * rowHeight
    return [
      ...drawBands(row, top, plot, around),
      ...(isSmall
        ? []
        : [
            textShape(left - 8, top + rowHeight / 2, truncateText(row.name.slice(0, maxNameLength), size, gutter - 8), {
              ...label,
              align: 'right',
            }),
          ]),
      ...(hasReaches
        ? [textShape(right + 8, top + rowHeight / 2, reaches[index] ?? '', { ...label, fill: theme.tick })]
        : []),
    ]
  })
  if (!isSmall) {
    shapes.push(...drawAxis(given, plot, end, around))
    const place = { x: edge, y: end + foot.axis + 4, width: width - 2 * edge }
    shapes.push(...drawLegend({ ...given, rows }, place, around))
  }
  if (missing > 0) {
    const note = translate(
      'picture.horizon.missing',
      '{count, plural, one {# more row doesn’t fit} other {# more rows don’t fit}}',
      { count: missing },
    )
    shapes.push(
      textShape(right, height - edge, note, { ...label, fill: theme.tick, align: 'right', verticalAlign: 'bottom' }),
    )
  }
  return { marks: drawHitAreas(given, rows.length, plot, around), beside: shapes }
}

/** Spaces times by distance and names evenly; a single one is in the middle. */
function computeXs(marks: HorizonMarks, left: number, right: number): number[] {
  const xs = marks.rows[0]?.x ?? []
  const numbers = xs.map((x, index) => (marks.isTime ? Number(x) : index))
  const [from, to] = [Math.min(...ends(numbers)), Math.max(...ends(numbers))]
  return numbers.map((x) => (to > from ? left + ((x - from) / (to - from)) * (right - left) : (left + right) / 2))
}

const ends = (sorted: readonly number[]) => [sorted[0] ?? 0, sorted.at(-1) ?? 0]

function drawBands(
  row: HorizonRow,
  top: number,
  { left, right, rowHeight, xs }: PlotArea,
  { theme }: RenderContext,
): GraphicElement[] {
  const gap = rowHeight >= 20 ? 2 : rowHeight >= 6 ? 1 : 0
  const height = rowHeight - gap
  // a single time fills its row
  const points =
    xs.length === 1 && row.drawn[0] !== null
      ? [[left, right].map((x) => ({ x, value: row.drawn[0] ?? 0 }))]
      : splitAtGaps(xs, row.drawn)
  const sides = (['above', 'below'] as const).filter((side) =>
    row.drawn.some((value) => value !== null && (side === 'above' ? value > 0 : value < 0)),
  )
  const bands = sides.flatMap((side) =>
    bandColors(side, theme).map((fill, band) => ({
      type: 'path',
      shape: { pathData: points.map((each) => bandPath(each, { top, height, reach: row.reach, band, side })).join('') },
      style: { fill },
    })),
  )
  const box = { x: left - 1, y: top, width: right - left + 2, height }
  return [
    { type: 'rect', shape: { ...box, y: top + height - 1, height: 1 }, style: { fill: theme.grid } },
    { type: 'group', clipPath: { type: 'rect', shape: box }, children: bands },
  ]
}

/** Pointer targets: each extends halfway to the adjacent positions. Positions that are too close share one. */
function drawHitAreas(
  marks: HorizonMarks,
  shown: number,
  { left, right, rowHeight, xs }: PlotArea,
  { theme, isStill }: RenderContext,
): GraphicElement[][] {
  if (isStill) return []
  const length = lengthOf(marks)
  const every = Math.max(1, Math.ceil((minHitWidth * length) / Math.max(1, right - left)))
  const targets = xs.flatMap((_, index) => (index % every === Math.floor(every / 2) || length <= every ? [index] : []))
  const edges = targets.map((at, i) => (i === 0 ? left : ((xs[at] ?? 0) + (xs[targets[i - 1] ?? 0] ?? 0)) / 2))
  const nearTo = new Map(
    targets.map((at, i) => [at, { x: edges[i] ?? left, width: (edges[i + 1] ?? right) - (edges[i] ?? left) }]),
  )
  return Array.from({ length: marks.items.length }, (_, index): GraphicElement[] => {
    const row = Math.floor(index / length)
    const near = nearTo.get(index % length)
    if (!near || row >= shown) return []
    return [
      {
        type: 'rect',
        z2: 10,
        shape: { ...near, y: edge + row * rowHeight, height: rowHeight },
        style: { fill: theme.text, opacity: 0 },
        emphasis: { style: { opacity: 0.15 } },
      },
    ]
  })
}

function drawAxis(
  marks: HorizonMarks,
  { xs, left, right }: PlotArea,
  y: number,
  { theme, locale, width }: RenderContext,
): GraphicElement[] {
  const line = { type: 'rect', shape: { x: left, y, width: right - left, height: 1 }, style: { fill: theme.axis } }
  if (!marks.isTime) return [line]
  const times = (marks.rows[0]?.x ?? []).map(Number)
  const places = new Map(times.map((time, index) => [time, xs[index] ?? 0]))
  const [from, to] = ends(times) as [number, number]
  const xAt = (time: number) => places.get(time) ?? left + ((time - from) / (to - from || 1)) * (right - left)
  const words = resolveLocale(locale)
  const writeTicks = (ticks: readonly number[]) =>
    formatAxisTimes(ticks, words).map((text, index) => {
      const wide = Math.max(...text.split('\n').map((part) => textWidth(part, size)))
      return { text, wide, x: xAt(ticks[index] ?? 0) }
    })
  const ticks = timeTicks(times, (some) =>
    writeTicks(some).every(({ x, wide }, index, all) => {
      const before = all[index - 1]
      return !before || x - wide / 2 >= before.x + before.wide / 2 + 12
    }),
  )
  return [
    line,
    ...writeTicks(ticks).flatMap(({ text, wide, x }) => {
      const look = { size, fill: theme.tick, font: theme.font, align: 'center', verticalAlign: 'top' } as const
      const inside = Math.max(edge + wide / 2, Math.min(width - edge - wide / 2, x))
      const shape = textShape(inside, y + 8, text, look)
      return [
        { type: 'rect', shape: { x, y, width: 1, height: 5 }, style: { fill: theme.axis } },
        { ...shape, style: { ...(shape.style as GraphicElement), lineHeight } },
      ]
    }),
  ]
}

/** Band colors, labeled with the shared limits, or with percentages where each row has its own. */
function drawLegend(
  { rows, scale, format }: HorizonMarks,
  place: { x: number; y: number; width: number },
  around: RenderContext,
): GraphicElement[] {
  const { theme, locale, translate } = around
  const hasBelow = rows.some(({ drawn }) => drawn.some((value) => value !== null && value < 0))
  const colors = [...(hasBelow ? bandColors('below', theme).toReversed() : []), ...bandColors('above', theme)]
  const isCommon = scale === 'overall'
  const write = formatter(isCommon ? format : '.0%', locale)
  const reach = isCommon ? (rows[0]?.reach ?? 0) : 1
  const [low, high] = [write(hasBelow ? -reach : 0), write(reach)]
  const caption = {
    overall: '',
    series: translate('picture.horizon.series', 'of each row’s maximum (±)'),
    change: translate('picture.horizon.change', 'of each row’s maximum change (±) from its first value'),
  }[scale]
  const x = place.x + colors.length * 12 + textWidth(low + high, size) + 24
  const text = truncateText(caption, size, place.x + place.width - x)
  return [
    ...rampLegend({ low, high, colors }, place, around),
    textShape(x, place.y + 6, text, { size, fill: theme.tick, font: theme.font }),
  ]
}
