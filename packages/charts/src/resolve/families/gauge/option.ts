import { formatter } from '../../../shared/formats/format.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'
import type { Items } from '../../items/items-family.ts'
import { toThemeColor, fadedOpacity, isFaded } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { toFraction, valueAt, type GaugeRange, type Pointer } from './pointers.ts'

/** Spec of a gauge besides its pointers. */
interface GaugeSeries extends SpecSeries {
  ends: GaugeRange
  format: string
  /** Text with `{value}`. */
  template: string
  fontSize: number
  startAngle: number
  endAngle: number
  splitNumber: number
  isMoving: boolean
  shows: { pointer: boolean; ticks: boolean; splitLines: boolean; progress: boolean }
  isOverlapping: boolean
  isRound: boolean
  bands: { to: number; color: string }[]
}

const edge = 10
/** Radius at which texts have the configured size; they shrink in smaller charts. */
const fullRadius = 150
const minFontSize = 9
/** Width of the colored square before a value, with its gap. */
const dotWidth = 20
/** Maximum characters of a name: no chart shows more, and measuring very long texts is slow. */
const maxNameLength = 80

/** Scales numbers to 0 to 1 along the axis, so that no limit exceeds the range of a double. */
export function gaugeOption(given: SpecSeries, { name, color: plain, items }: Items<Pointer>, around: RenderContext) {
  const series = given as GaugeSeries
  const { theme, locale } = around
  const { ends, shows } = series
  const radius = Math.max(20, Math.min(around.width, around.height) / 2 - edge)
  const scale = Math.min(1, radius / fullRadius)
  const font = Math.max(minFontSize, series.fontSize * scale)
  const rings = series.isOverlapping || !shows.progress ? 1 : items.length || 1
  const thick = Math.max(2, Math.min(radius * 0.12, (radius * 0.3) / rings))
  const write = formatter(series.format, locale)
  const every = labelStep(series, (part) => write(valueAt(ends, part)), { radius: radius - thick * rings - 24, font })
  /** Radius at which the labels are, behind ticks that ECharts makes room for also when they are hidden. */
  const inner = radius - thick * rings - (shows.splitLines || shows.ticks ? 29 : 21)
  const endWidth = Math.max(...[0, 1].map((part) => textWidth(write(valueAt(ends, part)), font * 0.8)))
  /** Width between the labels of both ends, where the values are. */
  const between = 2 * (Math.SQRT1_2 * inner - endWidth) - 1
  const needed = items.length < 2 ? textWidth(items[0]?.name.slice(0, maxNameLength) ?? '', font) : font * 5.5
  // In a smaller gauge the labels would cover the pointers and the values.
  const hasLabels = inner >= font * 4.5
  const hasEnds = hasLabels && between >= needed
  const room = hasEnds ? between : hasLabels ? inner * 1.5 : radius * 1.2
  const text = { fontFamily: theme.font, valueAnimation: false }
  const line = (width: number) => ({ color: theme.tick, width })
  const single = items.length === 1

  return {
    type: 'gauge',
    name,
    ...(!series.isMoving && { animation: false }),
    center: [around.width / 2, around.height / 2],
    radius,
    min: 0,
    max: 1,
    startAngle: series.startAngle,
    endAngle: series.endAngle,
    splitNumber: series.splitNumber,
    axisLine: {
      roundCap: series.isRound,
      lineStyle: { width: thick * rings, color: colorsAlong(series, around) },
    },
    progress: {
      show: shows.progress,
      overlap: series.isOverlapping,
      roundCap: series.isRound,
      width: thick,
    },
    axisTick: { show: shows.ticks, distance: 4, length: 5, lineStyle: line(1) },
    splitLine: { show: shows.splitLines, distance: 4, length: 9, lineStyle: line(1.5) },
    axisLabel: {
      show: hasLabels,
      distance: thick * rings + 4 + (shows.splitLines || shows.ticks ? 12 : 4),
      color: theme.tick,
      fontSize: font * 0.8,
      fontFamily: theme.font,
      hideOverlap: true,
      formatter: (part: number) =>
        (hasEnds || (part > 0 && part < 1)) && Math.round(part * series.splitNumber) % every === 0
          ? write(valueAt(ends, part))
          : '',
    },
    pointer: { show: shows.pointer, width: Math.max(3, 6 * scale), length: '58%' },
    anchor: {
      show: shows.pointer,
      showAbove: true,
      size: 10 * scale,
      itemStyle: { color: theme.surface, borderColor: theme.tick, borderWidth: 2 },
    },
    data: items.map((item, index) => {
      const color = toThemeColor(item.color ?? plain, theme)
      const style = { color, opacity: isFaded(item.key ?? {}, around.selected) ? fadedOpacity : 1 }
      const value = series.template.replaceAll('{value}', write(item.value))
      const row = radius * 0.3 + index * font * 1.3
      const rest = room - dotWidth - textWidth(`: ${value}`, font * 0.9)
      const label = truncateText(item.name.slice(0, maxNameLength), font * 0.9, Math.max(font * 2, rest))
      return {
        name: item.name,
        value: toFraction(ends, item.value ?? 0),
        itemStyle: style,
        pointer: { show: shows.pointer && item.value !== null, itemStyle: style },
        progress: { show: shows.progress && item.value !== null, itemStyle: style },
        title: {
          ...text,
          show: single && radius >= font * 6,
          offsetCenter: [0, radius * 0.4],
          fontSize: font,
          color: theme.text2,
        },
        detail: {
          ...text,
          show: single || row < radius * 0.95,
          offsetCenter: [0, single ? radius * 0.62 : row],
          color: theme.text,
          fontSize: single ? font * 1.6 : font * 0.9,
          fontWeight: single ? 600 : 400,
          lineHeight: font * 1.3,
          // ECharts would interpret placeholders in a plain string
          formatter: () => (single ? value : `{dot|}\u00a0\u00a0${plainText(`${label}: ${value}`)}`),
          ...(!single && { rich: { dot: { backgroundColor: color, width: 10, height: 10, borderRadius: 2 } } }),
        },
      }
    }),
  }
}

/** Interval of the number labels along the axis at which they do not overlap. */
function labelStep(
  { splitNumber, startAngle, endAngle }: GaugeSeries,
  write: (part: number) => string,
  { radius, font }: { radius: number; font: number },
): number {
  const widest = Math.max(...[0, 0.5, 1].map((part) => textWidth(write(part), font * 0.8)))
  const between = (Math.max(1, radius) * Math.abs(startAngle - endAngle) * Math.PI) / 180 / splitNumber
  return Math.min(splitNumber, Math.max(1, Math.ceil((widest + 8) / Math.max(1, between))))
}

/** ECharts would read braces as style references. */
const plainText = (text: string): string => text.replaceAll('{', '｛').replaceAll('}', '｝')

/** Colors of the axis background: its bands, and the rest after them. */
function colorsAlong({ bands, ends }: GaugeSeries, { theme }: RenderContext): [number, string][] {
  const shown = bands.map(({ to, color }): [number, string] => [toFraction(ends, to), toThemeColor(color, theme)])
  return [...shown, [1, theme.grid]]
}
