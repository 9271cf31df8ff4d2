import { formatter, nullText } from '../../../shared/formats/format.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { textShape } from '../../items/custom-series.ts'
import type { Items } from '../../items/items-family.ts'
import { rampLegend } from '../../items/ramp-legend.ts'
import { fadedOpacity, isFaded } from '../../paint.ts'
import { axesOf, toAxisFraction } from '../../shapes/marks.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { lineColor, lineShade, findColorRange, type ParallelLine, type ScaledAxis, type ColorMetric } from './lines.ts'

const size = { name: 12, label: 11 }
/** Minimum width per vertical axis; narrower charts use horizontal axes if each has at least `minAxisHeight` pixels. */
const minAxisWidth = 84
const minAxisHeight = 34
/** Maximum width of a label below a horizontal axis. */
const maxLabelWidth = 72
/** Maximum characters of a name: no chart shows more, and measuring very long texts is slow. */
const maxNameLength = 60
/** Position of missing numbers on an axis: below its minimum. */
const nullPosition = -0.12
const legendHeight = 30
/** Minimum height of a chart with labels; lower ones, such as cards, have none. */
const minLabeledHeight = 180

interface Tick {
  /** Position along the axis, 0 to 1. */
  at: number
  text: string
}

/** An axis as drawn: a metric, or the names of the lines. */
interface DrawnAxis {
  id: string
  name: string
  /** Position of each line. */
  places: number[]
  ticks: Tick[]
}

function buildAxes(series: SpecSeries, lines: Items<ParallelLine>, { locale }: RenderContext): DrawnAxis[] {
  const metrics = (axesOf(lines) as ScaledAxis[]).map((axis, i): DrawnAxis => {
    const write = formatter(axis.format, locale)
    const places = lines.items.map(({ values }) => toAxisFraction(axis, values[i]) ?? nullPosition)
    const ticks = axis.ticks.map((tick) => ({ at: toAxisFraction(axis, tick) ?? 0, text: write(tick) }))
    const hasNull = places.includes(nullPosition)
    return {
      id: axis.column,
      name: axis.name,
      places,
      ticks: [...(hasNull ? [{ at: nullPosition, text: nullText }] : []), ...ticks],
    }
  })
  const { names } = series as { names?: { id: string; name: string } }
  return names ? [buildNameAxis(names, lines), ...metrics] : metrics
}

/** The first name is at the top. */
function buildNameAxis(axis: { id: string; name: string }, { items }: Items<ParallelLine>): DrawnAxis {
  const places = new Map<string, number>()
  for (const { name } of items) if (!places.has(name)) places.set(name, places.size)
  const placeOf = (at: number) => (places.size > 1 ? 1 - at / (places.size - 1) : 0.5)
  return {
    ...axis,
    places: items.map(({ name }) => placeOf(places.get(name) ?? 0)),
    ticks: [...places].map(([text, at]) => ({ at: placeOf(at), text })).toReversed(),
  }
}

/** Scales numbers to their axis, since ECharts draws lines between axes with different scales. */
export function parallelOption(series: SpecSeries, lines: Items<ParallelLine>, around: RenderContext) {
  const { name, items } = lines
  const axes = buildAxes(series, lines, around)
  const opacity = items.length <= 30 ? 0.85 : items.length <= 200 ? 0.55 : 0.3
  return {
    type: 'parallel',
    name,
    animation: false,
    smooth: false,
    inactiveOpacity: 0.06,
    activeOpacity: 0.9,
    lineStyle: { width: 1.5 },
    emphasis: { lineStyle: { width: 3, opacity: 1 } },
    data: items.map((line, index) => ({
      name: line.name,
      value: axes.map(({ places }) => places[index]),
      lineStyle: {
        color: lineColor(line, around),
        opacity: isFaded(line.key, around.selected) ? fadedOpacity * opacity : opacity,
      },
    })),
  }
}

export function parallelComponents(series: SpecSeries, lines: Items<ParallelLine>, around: RenderContext) {
  const { theme, width, height } = around
  const axes = buildAxes(series, lines, around)
  const isSmall = height < minLabeledHeight
  const second = isSmall ? undefined : (series.second as ColorMetric | undefined)
  const bottom = 16 + (second ? legendHeight : 0)
  const isStanding = (width - 80) / axes.length >= minAxisWidth || (height - bottom - 30) / axes.length < minAxisHeight
  const box = isStanding
    ? {
        left: isSmall ? 28 : computeGutter(axes[0]?.ticks.map(({ text }) => text) ?? [], size.label, width),
        right: isSmall ? 28 : 56,
        top: 36,
        bottom,
      }
    : {
        left: computeGutter(
          axes.map(({ name }) => name),
          size.name,
          width,
        ),
        right: 40,
        top: 16,
        bottom: bottom + 16,
      }
  const long = Math.max(1, isStanding ? height - box.top - box.bottom : width - box.left - box.right)
  const step = (width - box.left - box.right) / Math.max(1, axes.length - 1)
  const nameRoom = (at: number) => {
    if (!isStanding) return box.left - 18
    return isWide(at) ? step - 8 : Math.min(step - 8, aroundAxis(at))
  }
  /** Space for a name centered on its axis, which is smaller at both sides of the chart. */
  const aroundAxis = (at: number) => 2 * (at === 0 ? box.left : at === axes.length - 1 ? box.right : Infinity) - 8
  const isWide = (at: number) =>
    isStanding && textWidth((axes[at]?.name ?? '').slice(0, maxNameLength), size.name) > aroundAxis(at)
  const least = axes.some(({ places }) => places.includes(nullPosition)) ? nullPosition : 0
  return {
    parallel: { ...box, layout: isStanding ? 'horizontal' : 'vertical', parallelAxisDefault: {} },
    parallelAxis: axes.map(({ id, name, ticks }, index) => {
      const shown = isSmall ? [] : findReadableTicks(ticks, { long: long / (1 - least), isStanding })
      const texts = new Map(shown.map((tick) => [tick.at, tick.text]))
      // labels of the first axis are to the left of it
      const beside = index === 0 ? box.left - 18 : index < axes.length - 1 ? step - 12 : box.right - 12
      const room = Math.max(16, isStanding ? beside : maxLabelWidth)
      return {
        id,
        dim: index,
        type: 'value',
        min: least,
        max: 1,
        name: truncateText(name.slice(0, maxNameLength), size.name, Math.max(16, nameRoom(index))),
        nameLocation: isStanding ? 'end' : 'start',
        nameGap: 14,
        nameTextStyle: {
          color: theme.text2,
          fontSize: size.name,
          fontWeight: 500,
          fontFamily: theme.font,
          ...(isWide(index) && { align: index === 0 ? 'left' : 'right' }),
        },
        axisLine: { lineStyle: { color: theme.axis, width: 1 } },
        axisTick: { customValues: ticks.map((tick) => tick.at), length: 4, lineStyle: { color: theme.axis } },
        minorTick: { show: false },
        splitLine: { show: false },
        axisLabel: {
          ...(isStanding && index === 0 && { margin: -8, align: 'right' }),
          customValues: shown.map((tick) => tick.at),
          color: theme.tick,
          fontSize: size.label,
          fontFamily: theme.font,
          // over the lines
          textBorderColor: theme.surface,
          textBorderWidth: 3,
          formatter: (value: number) =>
            truncateText((texts.get(value) ?? '').slice(0, maxNameLength), size.label, room),
        },
        areaSelectStyle: { width: 16, borderWidth: 1, borderColor: theme.accent, color: theme.accent, opacity: 0.3 },
      }
    }),
    ...(second && { graphic: buildColorLegend(second, lines.items, around) }),
  }
}

/** Space for texts at the left. */
const computeGutter = (texts: readonly string[], fontSize: number, width: number): number => {
  const widest = texts.reduce((most, text) => Math.max(most, textWidth(text.slice(0, maxNameLength), fontSize)), 0)
  return Math.max(44, Math.min(width * 0.28, 1.05 * widest + 20))
}

/** Labels that do not overlap, from the lowest on. */
function findReadableTicks(
  ticks: readonly Tick[],
  { long, isStanding }: { long: number; isStanding: boolean },
): Tick[] {
  const shown: Tick[] = []
  let free = -Infinity
  for (const tick of ticks) {
    const half = isStanding
      ? 7
      : Math.min(maxLabelWidth, textWidth(tick.text.slice(0, maxNameLength), size.label)) / 2 + 4
    if (tick.at * long - half < free) continue
    free = tick.at * long + half
    shown.push(tick)
  }
  return shown
}

/** Legend for the colors of the lines. */
function buildColorLegend({ name, format, ramp }: ColorMetric, lines: readonly ParallelLine[], around: RenderContext) {
  const { theme, width, locale } = around
  const ends = findColorRange(lines)
  if (ends[0] > ends[1]) return []
  const title = truncateText(name.slice(0, maxNameLength), size.label, width / 3)
  const [low, high] = ends.map(formatter(format, locale)) as [string, string]
  const colors = Array.from({ length: 12 }, (_, index) => lineShade(ramp, index / 11, theme.name))
  const x = textWidth(title, size.label) + 12
  const children = [
    textShape(0, 6, title, { size: size.label, weight: 500, fill: theme.text2, font: theme.font }),
    ...rampLegend({ low, high, colors }, { x, y: 0, width: width - x - 32 }, around),
  ]
  return [{ type: 'group', left: 16, bottom: 10, children }]
}
