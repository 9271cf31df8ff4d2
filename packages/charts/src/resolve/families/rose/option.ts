import { formatAxisTimes } from '../../../shared/formats/time.ts'
import { formatter, shorten } from '../../../shared/formats/format.ts'
import { resolveLocale } from '../../../shared/formats/locale.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { customSeries, type CustomDrawing, textShape } from '../../items/custom-series.ts'
import { describeNegatives, buildFootnote } from '../../footnote.ts'
import { toThemeColor, fadedOpacity, isFaded } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { countNegatives, countPetals, type RoseMarks } from './marks.ts'

const size = 11
const lineHeight = 14
const edge = 8
/** Gap between the end of a petal and its name. */
const gap = 6

/** Opacity of comparison periods. */
export const comparedOpacity = 0.5

interface Ring {
  center: [x: number, y: number]
  radius: number
}

/** Segments as sectors, from the center outwards in the order of the series, followed by the names of the petals. */
export function roseOption(series: SpecSeries, marks: RoseMarks, around: RenderContext) {
  const count = marks.segments.length * countPetals(marks)
  const namesake = marks.segments.find(({ name }) => name === marks.name)
  return {
    ...customSeries(marks.name, count, (width, height) => drawPetals(series, marks, { ...around, width, height })),
    ...(namesake && { color: toThemeColor(namesake.color, around.theme) }),
  }
}

function drawPetals(series: SpecSeries, marks: RoseMarks, around: RenderContext): CustomDrawing {
  const note = buildFootnote(describeNegatives(countNegatives(marks), around), around).height
  const box = { left: edge, right: edge, top: edge, bottom: edge + note }
  const width = Math.max(0, around.width - box.left - box.right)
  const height = Math.max(0, around.height - box.top - box.bottom)
  const names = formatPetalNames(series, marks, around).map((name) => truncateText(shorten(name), size, width / 4))
  const widest = names.reduce((most, name) => Math.max(most, textWidth(name, size)), 0)
  const ring: Ring = {
    center: [box.left + width / 2, box.top + height / 2],
    radius: Math.max(8, Math.min(height / 2 - lineHeight - gap, width / 2 - widest - gap)),
  }
  return {
    marks: drawSectors(series, marks, ring, around).map((sector) => [sector]),
    beside: drawLabels(series, marks, { names, ring }, around),
  }
}

const fullCircle = 2 * Math.PI
const toAngle = (turn: number) => fullCircle * turn - fullCircle / 4

function drawSectors(series: SpecSeries, marks: RoseMarks, { center: [cx, cy], radius }: Ring, around: RenderContext) {
  const { theme } = around
  const { segments } = marks
  const petals = countPetals(marks)
  const lanes = 1 + segments.reduce((most, { lane }) => Math.max(most, lane), 0)
  // keeps all sums within the range of a double
  const unit =
    segments.reduce((most, { y }) => y.reduce<number>((high, value) => Math.max(high, value ?? 0), most), 0) || 1
  const tops: number[] = []
  const stacked = segments.map(({ y, lane }) =>
    y.map((value, index) => {
      const from = tops[index * lanes + lane] ?? 0
      const to = from + Math.max(0, value ?? 0) / unit
      tops[index * lanes + lane] = to
      return { from, to }
    }),
  )
  const highest = tops.reduce((most, top) => Math.max(most, top), 0) || 1
  const reach = (top: number) => radius * (series.isArea ? Math.sqrt(top / highest) : top / highest)
  const turn = 1 / (petals * lanes)
  const isFine = fullCircle * radius * turn >= 4
  return segments.flatMap((one, place) => {
    const opacity = isFaded(one.key, around.selected) ? fadedOpacity : one.isCompared ? comparedOpacity : 1
    return one.y.map((_, index) => {
      const { from = 0, to = 0 } = stacked[place]?.[index] ?? {}
      const start = (index * lanes + one.lane) * turn
      return {
        type: 'sector',
        shape: { cx, cy, r0: reach(from), r: reach(to), startAngle: toAngle(start), endAngle: toAngle(start + turn) },
        style: {
          fill: toThemeColor(one.color, theme),
          opacity: one.unfinished === index ? opacity * 0.6 : opacity,
          ...(isFine && to > from && { stroke: theme.surface, lineWidth: 1 }),
        },
      }
    })
  })
}

/** Full names of the petals; the adaptive time format depends on which of them are shown. */
function formatPetalNames(series: SpecSeries, { segments, axis }: RoseMarks, { locale }: RenderContext): string[] {
  const xs = segments[0]?.x ?? []
  if (axis === 'time' && series.format === 'smart_date') return formatPetalTimes(xs, locale)
  const write = formatter(typeof series.format === 'string' ? series.format : 'smart_date', locale)
  return xs.map((x) => (typeof x === 'string' ? x : write(x)))
}

const formatPetalTimes = (xs: readonly (number | string | null)[], locale: string) =>
  formatAxisTimes(
    xs.map((x) => Number(x ?? 0)),
    resolveLocale(locale),
  ).map((name) => name.replaceAll('\n', ', '))

/** As many names as fit around the petals, evenly spaced. */
function drawLabels(
  series: SpecSeries,
  marks: RoseMarks,
  { names, ring: { center, radius } }: { names: readonly string[]; ring: Ring },
  { theme, locale }: RenderContext,
) {
  const placed = names.map((text, index) => {
    const angle = toAngle((index + 0.5) / names.length)
    const [x, y] = [center[0] + (radius + gap) * Math.cos(angle), center[1] + (radius + gap) * Math.sin(angle)]
    const aside = Math.cos(angle)
    const align = Math.abs(aside) < 0.1 ? ('center' as const) : aside > 0 ? ('left' as const) : ('right' as const)
    const rise = Math.sin(angle)
    const verticalAlign = rise < -0.9 ? ('bottom' as const) : rise > 0.9 ? ('top' as const) : ('middle' as const)
    return { text, at: index, x, y, align, verticalAlign }
  })
  const boxOf = ({ text, x, y, align, verticalAlign }: (typeof placed)[number]) => {
    const wide = textWidth(text, size) + 4
    const left = x - (align === 'left' ? 0 : align === 'right' ? wide : wide / 2)
    const top = y - (verticalAlign === 'top' ? 0 : verticalAlign === 'bottom' ? lineHeight : lineHeight / 2)
    return { left, top, right: left + wide, bottom: top + lineHeight }
  }
  const isApart = (shown: typeof placed): boolean =>
    shown.every((one, i) => {
      const [a, b] = [boxOf(one), boxOf(shown[(i + 1) % shown.length] ?? one)]
      return shown.length < 2 || a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
    })
  let step = 1
  let shown = placed
  while (shown.length > 1 && !isApart(shown)) {
    step += 1
    shown = placed.filter(({ at }) => at % step === 0)
  }
  const isAdaptive = marks.axis === 'time' && series.format === 'smart_date' && step > 1
  const xs = marks.segments[0]?.x ?? []
  const texts = isAdaptive
    ? formatPetalTimes(
        shown.map(({ at }) => xs[at] ?? 0),
        locale,
      )
    : shown.map(({ text }) => text)
  return shown.map(({ x, y, align, verticalAlign }, i) =>
    textShape(x, y, texts[i] ?? '', {
      size,
      fill: theme.tick,
      font: theme.font,
      align,
      ...(verticalAlign !== 'middle' && { verticalAlign }),
    }),
  )
}
