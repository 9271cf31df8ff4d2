import { contrast, darkPartner, inkOn } from '../shared/colors/color.ts'
import { formatter } from '../shared/formats/format.ts'
import type { AxisType, Plot, SpecSeries } from './plot.ts'
import type { StackPlace } from './stack-ends.ts'
import type { Surroundings } from './surroundings.ts'
import type { ChartTheme } from './theme.ts'

/** A stored colour as this theme draws it. */
export const drawnColor = (color: string, theme: ChartTheme): string =>
  theme.name === 'dark' ? darkPartner(color) : color

/** A fill that hardly differs from the ground gets an outline. */
export const outline = (color: string, theme: ChartTheme) =>
  contrast(color, theme.surface) < 3 ? { borderColor: theme.tick, borderWidth: 1 } : {}

export const isFaded = (key: Record<string, unknown>, selected: Surroundings['selected']): boolean =>
  Boolean(selected) && !Object.entries(selected ?? {}).every(([name, value]) => !(name in key) || key[name] === value)

/** Keys of a spec's series that are ours: the rest is ECharts' and goes through as it is. */
const ours = ['points', 'key', 'data', 'label', 'color'] as const

export interface SeriesPlace {
  axis: AxisType
  isFlipped: boolean
  ends: StackPlace[]
}

export function seriesOption(
  series: SpecSeries,
  plot: Plot,
  place: SeriesPlace,
  around: Surroundings,
): Record<string, unknown> {
  const own = Object.fromEntries(Object.entries(series).filter(([key]) => !(ours as readonly string[]).includes(key)))
  const color = drawnColor(plot.color, around.theme)
  const base = { ...own, name: plot.name, color, animation: around.animate ?? false }
  const opacity = isFaded(plot.key, around.selected) ? 0.25 : undefined
  if (series.type === 'pie') return pieOption(series, plot, base, around)
  if (series.type === 'bar') return barOption(series, plot, { ...base, opacity }, place, around)
  const label = labelOption(series.label, place, around)
  if (series.type === 'scatter')
    return { ...base, ...label, data: pairs(plot, place), itemStyle: { opacity: opacity ?? 0.75 } }
  return lineOption(series, plot, { ...base, ...label }, place, around, opacity)
}

const pairs = ({ x, y }: Plot, { axis, isFlipped }: SeriesPlace) =>
  axis === 'category' ? y : y.map((value, i) => (isFlipped ? [value, x[i]] : [x[i], value]))

const manyPoints = 2000

function lineOption(
  series: SpecSeries,
  plot: Plot,
  base: Record<string, unknown>,
  place: SeriesPlace,
  { theme }: Surroundings,
  opacity: number | undefined,
) {
  const isAlone = plot.y.filter((value) => value !== null).length === 1
  const area = series.areaStyle as { opacity?: number } | undefined
  /** A part that is missing adds nothing; a gap would tear the bands above it. */
  const isStackedArea = area && plot.stack !== undefined
  return {
    ...base,
    symbol: 'circle',
    symbolSize: 6,
    ...(series.symbolSize !== undefined && { symbolSize: series.symbolSize }),
    showSymbol: series.showSymbol === true || isAlone,
    connectNulls: false,
    emphasis: { scale: false, lineStyle: { width: 2 } },
    ...(plot.y.length > manyPoints && { sampling: 'lttb' }),
    lineStyle: { width: 2, join: 'round', cap: 'round', opacity, ...(series.lineStyle as object) },
    ...(area && { areaStyle: { ...area, opacity: (area.opacity ?? 0.2) * (opacity ?? 1) } }),
    ...(series.endLabel ? { animation: false, endLabel: endLabel(theme), labelLayout: { moveOverlap: 'shiftY' } } : {}),
    data: pairs(isStackedArea ? { ...plot, y: plot.y.map((value) => value ?? 0) } : plot, place),
  }
}

/** Width of the names at the right end of lines. They move apart only where nothing is animated. */
export const endLabelWidth = 132
const endLabel = ({ text2, font }: ChartTheme) => ({
  show: true,
  formatter: '{a}',
  color: text2,
  fontSize: 11,
  fontFamily: font,
  width: endLabelWidth,
  overflow: 'truncate',
  distance: 6,
})

const radius = 2

function barOption(
  series: SpecSeries,
  plot: Plot,
  { opacity, ...base }: Record<string, unknown>,
  place: SeriesPlace,
  around: Surroundings,
) {
  const style = { ...outline(base.color as string, around.theme), opacity, ...(series.itemStyle as object) }
  const spec = series.label as SpecLabel | undefined
  const write = formatter(spec?.format ?? 'SMART_NUMBER', around.locale)
  return {
    ...base,
    barMaxWidth: 56,
    barCategoryGap: '20%',
    barGap: '6%',
    emphasis: { focus: 'none' },
    itemStyle: style,
    ...labelOption(series.label, place, around, base.color as string),
    data: plot.y.map((value, i) => {
      const { isEnd, total } = place.ends[i] ?? { isEnd: true, total: value ?? 0 }
      const at = place.axis === 'category' ? value : place.isFlipped ? [value, plot.x[i]] : [plot.x[i], value]
      const isTooSmall = spec?.from !== undefined && total !== 0 && (100 * (value ?? 0)) / total < spec.from
      const label =
        spec?.of === 'total'
          ? { label: { show: isEnd, formatter: write(total) } }
          : isTooSmall
            ? { label: { show: false } }
            : {}
      return isEnd
        ? { value: at, itemStyle: { borderRadius: ending(value ?? 0, place.isFlipped) }, ...label }
        : { value: at, ...label }
    }),
  }
}

/** Corners at the free end, clockwise from the top left. */
const ending = (value: number, isFlipped: boolean) =>
  isFlipped
    ? value >= 0
      ? [0, radius, radius, 0]
      : [radius, 0, 0, radius]
    : value >= 0
      ? [radius, radius, 0, 0]
      : [0, 0, radius, radius]

interface SpecLabel extends Record<string, unknown> {
  show?: boolean
  format?: string
  position?: string
  /** `total`: of the whole stack, at its free end. */
  of?: 'total'
  /** Of a slice: what its label says, in order. */
  parts?: ('name' | 'value' | 'share')[]
  /** Of a slice: instead of parts, a text with `{name}`, `{value}` and `{percent}`. */
  template?: string
  /** Of a slice or of a part of a stack: shares below this stay unlabelled, in percent. */
  from?: number
}

function labelOption(label: unknown, { isFlipped }: SeriesPlace, { theme, locale }: Surroundings, ground?: string) {
  if (!label) return {}
  const { format, of: _, from: __, ...own } = label as SpecLabel
  const write = formatter(format ?? 'SMART_NUMBER', locale)
  const isInside = own.position === 'inside' && ground
  return {
    label: {
      color: isInside ? inkOn(ground) : theme.text2,
      fontSize: 11,
      fontFamily: theme.font,
      ...own,
      formatter: ({ value }: { value: number | [number, number] }) => {
        const number = Array.isArray(value) ? value[isFlipped ? 0 : 1] : value
        return number === null || number === undefined ? '' : write(number)
      },
    },
    labelLayout: { hideOverlap: true },
  }
}

function pieOption(series: SpecSeries, plot: Plot, base: Record<string, unknown>, around: Surroundings) {
  const { theme, locale } = around
  const label = (series.label ?? {}) as SpecLabel
  const total = plot.y.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  const write = formatter(label.format ?? 'SMART_NUMBER', locale)
  const percent = formatter(',.1~%', locale)
  const isOutside = label.position !== 'inside'
  return {
    ...base,
    color: undefined,
    startAngle: 90,
    avoidLabelOverlap: true,
    minShowLabelAngle: 0,
    emphasis: { scaleSize: 4 },
    labelLine: {
      show: label.show !== false && isOutside,
      length: 8,
      length2: 8,
      lineStyle: { color: theme.axis },
      ...(series.labelLine as object),
    },
    data: plot.y.map((value, i) => {
      const item = plot.items?.[i] ?? {}
      const color = drawnColor(item.color ?? plot.color, theme)
      const share = total > 0 && value !== null ? value / total : 0
      const said = { name: String(plot.x[i]), value: write(value), share: percent(share) }
      const isShown = label.show !== false && share * 100 >= (label.from ?? 0)
      return {
        name: said.name,
        value,
        itemStyle: {
          color,
          borderColor: theme.surface,
          borderWidth: 1.5,
          opacity: isFaded(item.key ?? {}, around.selected) ? 0.25 : 1,
        },
        labelLine: { show: isShown && isOutside },
        label: {
          show: isShown,
          position: isOutside ? 'outside' : 'inside',
          color: isOutside ? theme.text2 : inkOn(color),
          fontSize: 12,
          fontFamily: theme.font,
          formatter: label.template ? filled(label.template, said) : sliceText(label.parts ?? ['name'], said),
        },
      }
    }),
  }
}

const filled = (template: string, said: Record<'name' | 'value' | 'share', string>): string =>
  template.replaceAll(/\{(name|value|percent)\}/g, (_, part: 'name' | 'value' | 'percent') =>
    part === 'percent' ? said.share : said[part],
  )

function sliceText(parts: NonNullable<SpecLabel['parts']>, said: Record<'name' | 'value' | 'share', string>): string {
  const [first, ...rest] = parts.map((part) => said[part])
  if (rest.length === 0) return first ?? ''
  return parts[0] === 'name'
    ? `${first}: ${rest.length === 2 ? `${rest[0]} (${rest[1]})` : rest[0]}`
    : `${first} (${rest[0]})`
}
