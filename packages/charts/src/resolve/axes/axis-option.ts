import { formatter, shorten } from '../../shared/formats/format.ts'
import { resolveLocale } from '../../shared/formats/locale.ts'
import { formatAxisTime, formatAxisTimes, isTimeFormat } from '../../shared/formats/time.ts'
import { textWidth } from '../../shared/text-width.ts'
import type { RenderContext } from '../render-context.ts'
import type { AxisOrder } from './sort-plots.ts'
import type { AxisType } from './plot.ts'
import { timeTicks } from './time-ticks.ts'

export interface SpecAxis extends Record<string, unknown> {
  type?: AxisType
  format?: string
  name?: string
  /** Last time along the axis, when its period is incomplete. */
  unfinished?: number
  /** Order of the names along the axis; the order of the rows by default. */
  order?: AxisOrder
  /** Boundaries of an axis beside names that are ranges: the start of each range and the end of the last one. */
  ends?: readonly number[]
  axisLabel?: Record<string, unknown>
  axisLine?: Record<string, unknown>
  axisTick?: Record<string, unknown>
}

interface AxisPlacement {
  side: 'x' | 'y'
  /** Labels of a category axis. */
  labels: string[]
  /** The data runs along this axis; the other one is the measure axis. */
  isDimension: boolean
  /** Times of a time axis, sorted and unique. */
  times: readonly number[]
  /** The chart can be zoomed, so the visible times are not known. */
  isZoomable: boolean
  /** There is another axis on this or the opposite side of the plot. */
  isPair?: boolean
  /** Pixels beside the plot reserved for the names of lines. */
  names: number
  /** Where the bars of a logarithmic axis begin. */
  start?: number | null
  /** There are labels below the lowest numbers. */
  hasLabelsBelow?: boolean
  /** Range that the dimension must contain at least. */
  range?: readonly [number, number] | null
}

/** Returns an axis with Parquetry's styling; ECharts properties of the spec are preserved. */
export function axisOption(axis: SpecAxis, place: AxisPlacement, around: RenderContext): Record<string, unknown> {
  const { type = 'value', format, name, unfinished: _, order: __, ends, axisLabel, axisLine, axisTick, ...own } = axis
  const { theme } = around
  const isMeasure = !place.isDimension
  const hasGrid = isMeasure || type === 'log' || type === 'value'
  const between = ends && endsOption(ends, format, place, around)
  const ticks = type === 'time' && !place.isZoomable ? buildTicks(format, place, around) : null
  return {
    type,
    axisLine: {
      show: place.isDimension,
      ...(isMeasure && { onZero: false }),
      lineStyle: { color: theme.axis, width: 1 },
      ...axisLine,
    },
    axisTick: {
      show: place.isDimension,
      length: 4,
      alignWithLabel: true,
      lineStyle: { color: theme.axis },
      ...(ticks && { customValues: ticks.values }),
      ...(between && { customValues: ends.map((_, index) => index) }),
      ...axisTick,
    },
    splitLine: { show: hasGrid && !between, lineStyle: { color: theme.grid, width: 1 } },
    minorSplitLine: { show: false, lineStyle: { color: theme.grid, opacity: 0.6 } },
    ...(isMeasure && { splitNumber: countSplits(place.side, around) }),
    ...(type === 'category' && { data: place.labels }),
    ...(name && titleOption(name, place, axis.position === 'right', around)),
    ...(between && { min: 0, max: Math.max(1, ends.length - 1) }),
    ...(type === 'log' && own.min === undefined && own.max === undefined && logAxisBounds),
    ...(type === 'log' && place.start && logBarBounds(place.start)),
    ...(type === 'value' && place.hasLabelsBelow && { boundaryGap: ['8%', 0] }),
    ...(place.isDimension && place.range && contain(place.range)),
    ...own,
    axisLabel: {
      color: theme.tick,
      fontSize: 11,
      fontFamily: theme.font,
      hideOverlap: true,
      margin: 8,
      ...(type === 'category' && categoryLabels(place, around, Boolean(axisLabel?.rotate))),
      ...labelFormat(type, format, computeSpan(place.times), around.locale),
      ...ticks?.labels,
      ...between,
      ...axisLabel,
    },
    axisPointer: { ...(between && { show: false }), label: { show: false } },
  }
}

/** Number of intervals on a numeric axis: few where few labels fit, since ECharts omits labels unevenly. */
const countSplits = (side: 'x' | 'y', { width, height }: RenderContext): number =>
  side === 'y' ? (height < 160 ? 3 : 5) : Math.max(2, Math.min(5, Math.floor(width / 100)))

/** Extends the range of the data to contain this one. */
const contain = ([first, last]: readonly [number, number]) => ({
  min: ({ min }: Extent) => Math.min(min, first),
  max: ({ max }: Extent) => Math.max(max, last),
})

/** Lets numbers that span less than two powers of ten fill a logarithmic axis: it ends at 1, 2 or 5 times a power of ten. */
const logAxisBounds = {
  min: ({ min, max }: Extent) => (isShort({ min, max }) ? listSteps(min).findLast((step) => step <= min) : null),
  max: ({ min, max }: Extent) => (isShort({ min, max }) ? listSteps(max).find((step) => step >= max) : null),
}
/** The same for bars, which begin at `start`. */
const logBarBounds = (start: number) => ({
  startValue: start,
  min: start,
  max: ({ max }: Extent) => (isShort({ min: start, max }) ? listSteps(max).find((step) => step >= max) : null),
})
interface Extent {
  min: number
  max: number
}
const isShort = ({ min, max }: Extent): boolean => min > 0 && max > min && max / min < 100

function listSteps(value: number): number[] {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((first) => first * power)
}

const titleOption = (
  name: string,
  { side, isPair }: AxisPlacement,
  isRight: boolean,
  { theme, width }: RenderContext,
) => ({
  name,
  // Two names share the space above the plot.
  ...(isPair && { nameTruncate: { maxWidth: Math.max(40, width / 2 - 70) } }),
  nameLocation: side === 'x' ? 'middle' : 'end',
  nameGap: side === 'x' ? 28 : 12,
  nameTextStyle: {
    color: theme.text2,
    fontSize: 12,
    fontFamily: theme.font,
    ...(side === 'y' && { align: isRight ? 'right' : 'left' }),
  },
})

/** Spans up to this length have month ticks, and January is named. */
const shortSpan = 550 * 86_400_000

function labelFormat(type: AxisType, format: string | undefined, span: number, locale: string) {
  if (type === 'time' && (!format || format.startsWith('smart_date'))) {
    const words = resolveLocale(locale)
    // ECharts formats every tick but omits the label at the start of the axis unless a month begins there.
    let isBegun = true
    return {
      formatter: (value: number, index: number) => {
        if (index === 0) isBegun = isMonth(value)
        const isFirst = index === 0 || (index === 1 && !isBegun)
        return formatAxisTime(value, { isFirst, isShort: span < shortSpan }, words)
      },
    }
  }
  if (type === 'category') return { formatter: shorten }
  const write = formatter(format ?? 'SMART_NUMBER', locale)
  return { formatter: (value: number) => write(value) }
}

const isMonth = (ms: number): boolean => new Date(ms).toISOString().endsWith('-01T00:00:00.000Z')

const computeSpan = (times: readonly number[]): number => (times.at(-1) ?? 0) - (times[0] ?? 0)

/** Labels range boundaries, which are as evenly spaced as the names between them; every nth one is shown if not all fit. */
function endsOption(
  ends: readonly number[],
  format: string | undefined,
  { side }: AxisPlacement,
  around: RenderContext,
) {
  const texts = ends.map(formatter(format ?? 'SMART_NUMBER', around.locale))
  const longest = texts.reduce((most, text) => Math.max(most, measureLabel(text)), 0) + numberGap * 2
  const slot = (side === 'x' ? around.width * 0.85 : around.height * 0.8) / Math.max(1, ends.length - 1)
  const step = Math.max(1, Math.ceil((side === 'x' ? longest : lineHeight) / slot))
  return {
    customValues: ends.map((_, index) => index).filter((at) => at % step === 0),
    formatter: (at: number) => texts[at] ?? '',
  }
}

const lineHeight = 13
const fontSize = 11
const measureLabel = (label: string): number => Math.max(...label.split('\n').map((line) => textWidth(line, fontSize)))
const countLines = (label: string): number => label.split('\n').length

/** Labels of a time axis and the positions of their ticks. */
function buildTicks(
  format: string | undefined,
  { side, times, names }: AxisPlacement,
  { width, height, locale }: RenderContext,
) {
  const isAdaptive = !format || format.startsWith('smart_date')
  const own = isAdaptive ? null : formatter(format, locale)
  const written = (ticks: readonly number[]) => (own ? ticks.map(own) : formatAxisTimes(ticks, resolveLocale(locale)))
  const room = side === 'x' ? width - names - 80 : height - 60
  const pixels = Math.max(40, room) / (computeSpan(times) || 1)
  const least = side === 'x' ? 24 : lineHeight
  const values = timeTicks(times, (ticks) => {
    if (ticks.length > 1 && computeSpan(ticks) * pixels < least * (ticks.length - 1)) return false
    const sizes = written(ticks).map((label) =>
      side === 'x' ? measureLabel(label) + 12 : lineHeight * countLines(label) + 4,
    )
    return ticks.every(
      (tick, index) =>
        index === 0 || (tick - (ticks[index - 1] ?? 0)) * pixels >= ((sizes[index] ?? 0) + (sizes[index - 1] ?? 0)) / 2,
    )
  })
  const labels = written(values)
  const labelByValue = new Map(values.map((value, index) => [value, labels[index] ?? '']))
  return {
    values,
    labels: { customValues: values, lineHeight, formatter: (value: number) => labelByValue.get(value) ?? '' },
  }
}

/** Angle of labels that do not fit side by side, and the maximum share of the height that they may occupy. */
const tilt = { degrees: 40, part: 0.35 }
const maxLines = 3

/** Gap between labels side by side, larger for names because they may contain spaces. */
const nameGap = 8
const numberGap = 5

/** Returns true for increasing whole numbers with few of them missing, so that every second one is enough to infer the others. */
function isCountingLabels(labels: readonly string[]): boolean {
  if (!labels.every((label) => /^-?\d+$/.test(label))) return false
  const numbers = labels.map(Number)
  const step = Math.min(...numbers.slice(1).map((number, index) => number - (numbers[index] as number)))
  const span = (numbers.at(-1) as number) - (numbers[0] as number)
  return step > 0 && span / step < 2 * labels.length
}

/**
 * Counting numbers are thinned evenly when they do not fit. Names are wrapped if possible, otherwise tilted, and every nth one is
 * omitted only when even tilted ones do not fit; beside a plot they are truncated at a quarter of the width.
 */
function categoryLabels({ side, labels }: AxisPlacement, { width, height }: RenderContext, isRotated: boolean) {
  if (side === 'y') return { width: Math.max(48, width * 0.25), overflow: 'truncate' }
  if (isRotated || labels.length === 0) return {}
  const shown = labels.map(shorten)
  const slot = (width * 0.9) / labels.length
  const longest = Math.max(...shown.map(measureLabel))
  if (isCountingLabels(shown)) return { interval: Math.ceil((longest + numberGap) / slot) - 1 }
  const room = slot - nameGap
  if (longest <= room) return { interval: 0 }
  const longestWord = Math.max(...shown.flatMap((label) => label.split(/\s+/)).map(measureLabel))
  const isWrapped = longestWord <= room && longest / room < maxLines && height > 8 * lineHeight
  if (isWrapped) return { width: room, overflow: 'break', interval: 0, lineHeight }
  if (slot < lineHeight + 3) return {}
  const most = (height * tilt.part) / Math.sin((tilt.degrees * Math.PI) / 180)
  return { rotate: tilt.degrees, interval: 0, width: Math.max(40, Math.min(longest + 1, most)), overflow: 'truncate' }
}

/** Format of a category axis that contains formatted times; its labels are created when the data is read. */
export const categoryFormat = (axis: SpecAxis): string | undefined =>
  axis.format && isTimeFormat(axis.format) ? axis.format : undefined
