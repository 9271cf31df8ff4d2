import { axisTimes } from '../../../shared/formats/time.ts'
import { formatter, shorten } from '../../../shared/formats/format.ts'
import { localeOf } from '../../../shared/formats/locale.ts'
import { fitted } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { drawnSeries, type Drawn, textShape } from '../../items/drawn.ts'
import { negativesSaid, noteUnder } from '../../note.ts'
import { drawnColor, fadedOpacity, isFaded } from '../../paint.ts'
import type { Surroundings } from '../../surroundings.ts'
import type { SpecSeries } from '../family.ts'
import { negatives, petalsIn, type RoseMarks } from './marks.ts'

const size = 11
const lineHeight = 14
const edge = 8
/** From a petal's end to its name. */
const gap = 6

/** Of what a period is compared with. */
export const comparedOpacity = 0.5

interface Ring {
  center: [x: number, y: number]
  radius: number
}

/** Segments as sectors, from the middle to the edge in the order of the series; then the names of the petals. */
export function roseOption(series: SpecSeries, marks: RoseMarks, around: Surroundings) {
  const count = marks.segments.length * petalsIn(marks)
  const namesake = marks.segments.find(({ name }) => name === marks.name)
  return {
    ...drawnSeries(marks.name, count, (width, height) => petalsOf(series, marks, { ...around, width, height })),
    ...(namesake && { color: drawnColor(namesake.color, around.theme) }),
  }
}

function petalsOf(series: SpecSeries, marks: RoseMarks, around: Surroundings): Drawn {
  const note = noteUnder(negativesSaid(negatives(marks), around), around).height
  const box = { left: edge, right: edge, top: edge, bottom: edge + note }
  const width = Math.max(0, around.width - box.left - box.right)
  const height = Math.max(0, around.height - box.top - box.bottom)
  const names = namesOf(series, marks, around).map((name) => fitted(shorten(name), size, width / 4))
  const widest = names.reduce((most, name) => Math.max(most, textWidth(name, size)), 0)
  const ring: Ring = {
    center: [box.left + width / 2, box.top + height / 2],
    radius: Math.max(8, Math.min(height / 2 - lineHeight - gap, width / 2 - widest - gap)),
  }
  return {
    marks: sectorsOf(series, marks, ring, around).map((sector) => [sector]),
    beside: labelsOf(series, marks, { names, ring }, around),
  }
}

const full = 2 * Math.PI
const angleOf = (turn: number) => full * turn - full / 4

function sectorsOf(series: SpecSeries, marks: RoseMarks, { center: [cx, cy], radius }: Ring, around: Surroundings) {
  const { theme } = around
  const { segments } = marks
  const petals = petalsIn(marks)
  const lanes = 1 + segments.reduce((most, { lane }) => Math.max(most, lane), 0)
  // so that no sum is too large to be reckoned with
  const unit =
    segments.reduce((most, { y }) => y.reduce<number>((high, value) => Math.max(high, value ?? 0), most), 0) || 1
  const tops: number[] = []
  const stacked = segments.map(({ y, lane }) =>
    y.map((value, at) => {
      const from = tops[at * lanes + lane] ?? 0
      const to = from + Math.max(0, value ?? 0) / unit
      tops[at * lanes + lane] = to
      return { from, to }
    }),
  )
  const highest = tops.reduce((most, top) => Math.max(most, top), 0) || 1
  const reach = (top: number) => radius * (series.isArea ? Math.sqrt(top / highest) : top / highest)
  const turn = 1 / (petals * lanes)
  const isFine = full * radius * turn >= 4
  return segments.flatMap((one, place) => {
    const opacity = isFaded(one.key, around.selected) ? fadedOpacity : one.isCompared ? comparedOpacity : 1
    return one.y.map((_, at) => {
      const { from = 0, to = 0 } = stacked[place]?.[at] ?? {}
      const start = (at * lanes + one.lane) * turn
      return {
        type: 'sector',
        shape: { cx, cy, r0: reach(from), r: reach(to), startAngle: angleOf(start), endAngle: angleOf(start + turn) },
        style: {
          fill: drawnColor(one.color, theme),
          opacity: one.unfinished === at ? opacity * 0.6 : opacity,
          ...(isFine && to > from && { stroke: theme.surface, lineWidth: 1 }),
        },
      }
    })
  })
}

/** The names of the petals in full; the format of times by themselves needs to know which of them are written. */
function namesOf(series: SpecSeries, { segments, axis }: RoseMarks, { locale }: Surroundings): string[] {
  const xs = segments[0]?.x ?? []
  if (axis === 'time' && series.format === 'smart_date') return timesOf(xs, locale)
  const write = formatter(typeof series.format === 'string' ? series.format : 'smart_date', locale)
  return xs.map((x) => (typeof x === 'string' ? x : write(x)))
}

const timesOf = (xs: readonly (number | string | null)[], locale: string) =>
  axisTimes(
    xs.map((x) => Number(x ?? 0)),
    localeOf(locale),
  ).map((name) => name.replaceAll('\n', ', '))

/** As many names as have room around the petals, at even distances. */
function labelsOf(
  series: SpecSeries,
  marks: RoseMarks,
  { names, ring: { center, radius } }: { names: readonly string[]; ring: Ring },
  { theme, locale }: Surroundings,
) {
  const placed = names.map((text, at) => {
    const angle = angleOf((at + 0.5) / names.length)
    const [x, y] = [center[0] + (radius + gap) * Math.cos(angle), center[1] + (radius + gap) * Math.sin(angle)]
    const aside = Math.cos(angle)
    const align = Math.abs(aside) < 0.1 ? ('center' as const) : aside > 0 ? ('left' as const) : ('right' as const)
    const rise = Math.sin(angle)
    const verticalAlign = rise < -0.9 ? ('bottom' as const) : rise > 0.9 ? ('top' as const) : ('middle' as const)
    return { text, at, x, y, align, verticalAlign }
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
    ? timesOf(
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
