import { numberAt, type Frame } from '@parquetry/frame'
import { toThemeColor } from '../resolve/paint.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import type { ChartTheme } from '../resolve/theme.ts'
import { unfinishedTitle } from '../resolve/tooltip.ts'
import { textWidth } from './text-width.ts'
import type { BigNumberSpec } from './big-number.ts'
import { findColumn } from './column.ts'
import { formatter } from './formats/format.ts'

/**
 * Returns a conditional color as text color: good and bad use the theme's colors, others are made dark or light enough to be
 * readable.
 */
export function tintColor(tint: string, theme: ChartTheme): string {
  const named = { green: theme.good, red: theme.bad, yellow: theme.caution }
  return named[tint as keyof typeof named] ?? toThemeColor(tint, theme)
}

/** Texts and sizes of a big number in pixels, the same for the screen and for SVG. */
export interface BigNumberLayout {
  value: string
  /** `▲ 3.1 %` with its suffix; null without a comparison. */
  change: { text: string; tone: 'good' | 'bad' | 'same' } | null
  at: string | null
  subheader: string
  numberSize: number
  subSize: number
  /** Height of the trend line at the bottom; 0 without one. */
  trendHeight: number
  describe: string
}

const minNumberSize = 20
/** Size of the period of the value, which does not depend on the tile. */
export const periodSize = 12
/** Space between two lines, and the least above the first one. */
export const lineGap = 6
/** The trend line shrinks to this height before the number does. A lower one would be a mere stroke, and is left out. */
const [lowTrend, minTrendHeight] = [24, 12]
/** Semibold text and tabular figures are wider than the measured widths. */
const boldness = 1.1

/** All digits are as wide as a zero. */
const tabular = (text: string) => text.replaceAll(/\d/g, '0') || '0'

/**
 * Font sizes start at the share of the height set in the form and shrink to fit the width and the lines below, down to 20 px. The trend line gets
 * what the texts leave.
 */
export function layoutBigNumber(spec: BigNumberSpec, around: RenderContext): BigNumberLayout {
  const { width, height, locale, translate } = around
  const value = formatter(spec.format, locale)(spec.value)
  const wantedTrend = spec.trend ? Math.round(Math.min(height * 0.34, 120)) : 0
  const room = Math.max(40, width - 32)
  const wanted = Math.min((height - wantedTrend) * spec.size.header * 1.25, height * 0.6)
  const compared = spec.change ? changeText(spec.change, around) : null
  // An incomplete value is neither better nor worse.
  const change = compared && spec.isUnfinished ? { ...compared, tone: 'same' as const } : compared
  const time = spec.at ? periodText(spec.at, locale) : null
  const at = time !== null && spec.isUnfinished ? unfinishedTitle(time, around) : time
  const longest = Math.max(...[change?.text, spec.subheader].map((text) => textWidth(text || '0', 1)))
  const subSize = Math.max(12, Math.min(height * spec.size.subheader * 0.7, 28, room / (boldness * longest)))
  const below = [change && subSize, spec.subheader && subSize, at && periodSize]
    .filter((size) => typeof size === 'number')
    .reduce((sum, size) => sum + size + lineGap, lineGap)
  const widest = room / (boldness * textWidth(tabular(value), 1))
  const numberSize = Math.max(minNumberSize, Math.min(wanted, widest, height - Math.min(wantedTrend, lowTrend) - below))
  const left = Math.floor(Math.min(wantedTrend, height - numberSize - below))
  const trendHeight = left < minTrendHeight ? 0 : left
  return {
    value,
    change,
    at,
    subheader: spec.subheader,
    numberSize,
    subSize,
    trendHeight,
    describe: [
      translate('picture.describe.number', '{measure}: {value}.', { measure: spec.measure, value }),
      ...(change ? [`${change.text}.`] : []),
      ...(at ? [`${at}.`] : []),
    ].join(' '),
  }
}

function periodText({ value, last, format }: NonNullable<BigNumberSpec['at']>, locale: string): string {
  const write = formatter(format, locale)
  const ends = [write(value), ...(last === undefined ? [] : [write(last)])]
  return [...new Set(ends)].join(' – ')
}

function changeText(
  { ratio, suffix }: NonNullable<BigNumberSpec['change']>,
  { locale, translate }: RenderContext,
): BigNumberLayout['change'] {
  if (ratio === null) return { text: translate('picture.change.none', 'no data to compare with'), tone: 'same' }
  const percent = formatter('+,.1~%', locale)(ratio).replace('+-', '-')
  const arrow = ratio > 0 ? '▲' : ratio < 0 ? '▼' : '='
  return {
    text: [arrow, percent, suffix].filter(Boolean).join(' '),
    tone: ratio > 0 ? 'good' : ratio < 0 ? 'bad' : 'same',
  }
}

/**
 * Returns the trend as SVG paths within a box; a missing value is a gap. Null when there is nothing to draw.
 * @returns `way` leads to a last value whose period is incomplete, and is drawn dashed; `line` stops before it
 */
export function trendPaths(
  { trend, isUnfinished = false }: BigNumberSpec,
  frames: Record<string, Frame>,
  box: { width: number; height: number },
): { line: string; area: string; way: string; last: [x: number, y: number] } | null {
  if (!trend || box.height === 0) return null
  const { points, fromZero } = trend
  const frame = frames[points.frame]
  const xs = frame && findColumn(frame, points.x.column)
  const ys = frame && findColumn(frame, points.y.column)
  if (!frame || !xs || !ys) return null
  const values = Array.from({ length: frame.rows }, (_, row) => [numberAt(xs, row) ?? row, numberAt(ys, row)] as const)
  const seen = values.flatMap(([, y]) => (y === null ? [] : [y]))
  if (seen.length === 0) return null
  const low = fromZero ? Math.min(0, ...findMin(seen)) : findMin(seen)[0]
  const high = seen.reduce((a, b) => Math.max(a, b))
  const first = values[0]?.[0] ?? 0
  const span = (values.at(-1)?.[0] ?? 1) - first || 1
  const x = (index: number) => Math.round(((index - first) / span) * box.width * 10) / 10
  const y = (value: number) =>
    Math.round((box.height - 2 - ((value - low) / (high - low || 1)) * (box.height - 6)) * 10) / 10
  const runs = split(values)
  const pathOf = (run: [number, number][]) => `M${run.map(([at, value]) => `${x(at)},${y(value)}`).join('L')}`
  const last = runs.at(-1) ?? []
  const open = isUnfinished && last.length > 1 ? last.slice(-2) : []
  const whole = open.length > 0 ? [...runs.slice(0, -1), last.slice(0, -1)] : runs
  const line = whole.map(pathOf).join('')
  const area = runs
    .map(
      (run) =>
        `M${x(run[0]?.[0] ?? 0)},${box.height}L${run.map(([at, value]) => `${x(at)},${y(value)}`).join('L')}L${x(run.at(-1)?.[0] ?? 0)},${box.height}Z`,
    )
    .join('')
  const [lastX, lastY] = last.at(-1) ?? [0, 0]
  return { line, area, way: open.length > 0 ? pathOf(open) : '', last: [x(lastX), y(lastY)] }
}

const findMin = (values: number[]): [number] => [values.reduce((a, b) => Math.min(a, b))]

/** Splits values into runs without gaps. */
function split(values: (readonly [number, number | null])[]): [number, number][][] {
  const runs: [number, number][][] = []
  let open: [number, number][] | null = null
  for (const [at, value] of values) {
    if (value === null) open = null
    else if (open) open.push([at, value])
    else runs.push((open = [[at, value]]))
  }
  return runs
}
