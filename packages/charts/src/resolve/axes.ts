import { formatter, shorten } from '../shared/formats/format.ts'
import { localeOf } from '../shared/formats/locale.ts'
import { axisTime, isTimeFormat } from '../shared/formats/time.ts'
import { textWidth } from '../shared/text-width.ts'
import type { AxisType } from './plot.ts'
import type { Surroundings } from './surroundings.ts'

export interface SpecAxis extends Record<string, unknown> {
  type?: AxisType
  format?: string
  name?: string
  axisLabel?: Record<string, unknown>
}

interface Place {
  side: 'x' | 'y'
  /** Labels of a category axis. */
  labels: string[]
  /** The axis that the data runs along; the other one measures. */
  isDimension: boolean
  /** Of a time axis, in milliseconds. */
  span: number
}

/** An axis in the look of our charts; what the spec says in ECharts' own words stays. */
export function axisOption(axis: SpecAxis, place: Place, around: Surroundings): Record<string, unknown> {
  const { type = 'value', format, name, axisLabel, ...own } = axis
  const { theme } = around
  const isMeasure = !place.isDimension
  const hasGrid = isMeasure || type === 'log' || type === 'value'
  return {
    type,
    axisLine: {
      show: place.isDimension,
      ...(isMeasure && { onZero: false }),
      lineStyle: { color: theme.axis, width: 1 },
    },
    axisTick: { show: place.isDimension, length: 4, alignWithLabel: true, lineStyle: { color: theme.axis } },
    splitLine: { show: hasGrid, lineStyle: { color: theme.grid, width: 1 } },
    minorSplitLine: { show: false, lineStyle: { color: theme.grid, opacity: 0.6 } },
    ...(isMeasure && { splitNumber: around.height < 160 && place.side === 'y' ? 3 : 5 }),
    ...(type === 'category' && { data: place.labels }),
    ...(name && titleOf(name, place.side, theme)),
    ...own,
    axisLabel: {
      color: theme.tick,
      fontSize: 11,
      fontFamily: theme.font,
      hideOverlap: true,
      margin: 8,
      ...(type === 'category' && categoryLabels(place, around, Boolean(axisLabel?.rotate))),
      ...labelFormat(type, format, place.span, around.locale),
      ...axisLabel,
    },
    axisPointer: { label: { show: false } },
  }
}

const titleOf = (name: string, side: 'x' | 'y', theme: Surroundings['theme']) => ({
  name,
  nameLocation: side === 'x' ? 'middle' : 'end',
  nameGap: side === 'x' ? 28 : 12,
  nameTextStyle: { color: theme.text2, fontSize: 12, fontFamily: theme.font, ...(side === 'y' && { align: 'left' }) },
})

/** Up to here the ticks of a year are its months, and January is named. */
const shortSpan = 550 * 86_400_000

function labelFormat(type: AxisType, format: string | undefined, span: number, locale: string) {
  if (type === 'time' && (!format || format.startsWith('smart_date'))) {
    const words = localeOf(locale)
    return {
      formatter: (value: number, index: number) =>
        axisTime(value, { isFirst: index === 0, isShort: span < shortSpan }, words),
    }
  }
  if (type === 'category') return { formatter: shorten }
  const write = formatter(format ?? 'SMART_NUMBER', locale)
  return { formatter: (value: number) => write(value) }
}

const lineHeight = 13

/** Wrapped where few labels have room for it, else every n-th is left out; beside a plot cut at a quarter of the width. */
function categoryLabels({ side, labels }: Place, { width }: Surroundings, isRotated: boolean) {
  if (side === 'y') return { width: Math.max(48, width * 0.25), overflow: 'truncate' }
  if (isRotated || labels.length === 0) return {}
  const room = (width * 0.9) / labels.length - 8
  const longest = Math.max(...labels.map((label) => textWidth(shorten(label), 11)))
  const longestWord = Math.max(
    ...labels.flatMap((label) => shorten(label).split(/\s+/)).map((word) => textWidth(word, 11)),
  )
  const isWrapped = longest > room && longestWord <= room && longest / room < 3
  return isWrapped ? { width: room, overflow: 'break', interval: 0, lineHeight } : {}
}

/** A category axis may hold formatted times: their labels are made where the data is read. */
export const categoryFormat = (axis: SpecAxis): string | undefined =>
  axis.format && isTimeFormat(axis.format) ? axis.format : undefined
