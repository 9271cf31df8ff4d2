import { textColorOn } from '../../../shared/colors/color.ts'
import { rampColor, ramps } from '../../../shared/colors/ramps.ts'
import { formatter, shorten } from '../../../shared/formats/format.ts'
import { resolveLocale } from '../../../shared/formats/locale.ts'
import { formatAxisTimes } from '../../../shared/formats/time.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { axisOption } from '../../axes/axis-option.ts'
import type { SpecLabel } from '../../axes/labels.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { resolveCellColor, quantize, type HeatmapGrid } from './cells.ts'

const size = 11
const lineHeight = 13
/** Gap between names and cells. */
const gap = 12
const edge = 8
/** Width that names have even if the configured margin is smaller. */
const minNameWidth = 40
const legendBand = 24

const widestText = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, textWidth(shorten(text), size)), 0)

/** True for numbers and times, which increase upwards; names run from top to bottom as in a table. */
export const isUpward = ({ y }: HeatmapGrid): boolean => y.isNumber || y.isTime

/** Position of the cells, in pixels from the edges. */
function computeLayout(series: SpecSeries, grid: HeatmapGrid, around: RenderContext) {
  const [left, bottom] = series.margins as ['auto' | number, 'auto' | number]
  const [everyX = -1, everyY = -1] = series.every as number[]
  const names =
    left === 'auto'
      ? Math.min(widestText(grid.y.labels) + 8, around.width * 0.3)
      : Math.max(Math.min(minNameWidth, widestText(grid.y.labels) + 8), left - gap - edge)
  const x = axisOption(
    { type: 'category', axisLine: { show: false }, axisTick: { show: false } },
    { side: 'x', labels: grid.x.labels, times: [], isDimension: true, isZoomable: false, names },
    { ...around, width: around.width - names },
  )
  const times = grid.x.isTime ? timeLabels(grid, (around.width - names) * 0.93, everyX, around) : null
  const axisLabel: Record<string, unknown> = {
    ...(times ? { ...plainLabel(x.axisLabel as object), ...times.axisLabel } : (x.axisLabel as object)),
    ...(everyX > 0 && { interval: everyX - 1 }),
  }
  const longest = times?.longest ?? widestText(grid.x.labels)
  const width = Math.min(longest, Number(axisLabel.width ?? longest))
  const high = axisLabel.rotate
    ? width * Math.sin((Math.abs(Number(axisLabel.rotate)) * Math.PI) / 180) + lineHeight
    : lineHeight * (times?.lines ?? (axisLabel.overflow === 'break' ? Math.ceil(longest / width + 0.4) : 1))
  const box = {
    left: names + gap + edge,
    right: edge + (axisLabel.rotate || axisLabel.overflow ? 0 : Math.min(60, width / 2)),
    top: series.legendType ? legendBand + edge : edge,
    bottom: Math.max(bottom === 'auto' ? 0 : bottom, Math.min(around.height * 0.45, high + gap)),
  }
  return {
    box,
    x: { ...x, axisLabel },
    everyY,
    names,
    cell: {
      width: Math.max(0, around.width - box.left - box.right) / (grid.x.labels.length || 1),
      height: Math.max(0, around.height - box.top - box.bottom) / (grid.y.labels.length || 1),
    },
  }
}

/** Labels times by what changes from one to the next (`Jan 2026, Feb, Mar`), omitting some evenly if they do not fit. */
function timeLabels({ x }: HeatmapGrid, width: number, interval: number, { locale }: RenderContext) {
  const shown = (every: number) => {
    const ticks = x.values.flatMap((value, index) =>
      typeof value === 'number' && index % every === 0 ? [{ value, at: index }] : [],
    )
    const texts = x.isAdaptive
      ? formatAxisTimes(
          ticks.map(({ value }) => value),
          resolveLocale(locale),
        )
      : ticks.map(({ at }) => x.labels[at] ?? '')
    const lines = texts.map((text) => text.split('\n'))
    return {
      texts: new Map(ticks.map(({ at }, place) => [at, texts[place] ?? ''])),
      longest: widestText(lines.flat()),
      lines: Math.max(1, ...lines.map(({ length }) => length)),
    }
  }
  const slot = width / (x.values.length || 1)
  let every = interval > 0 ? interval : 1
  while (interval <= 0 && every < x.values.length && shown(every).longest + gap > slot * every) every += 1
  const { texts, ...sizes } = shown(every)
  return {
    ...sizes,
    axisLabel: {
      interval: (at: number) => texts.has(at),
      formatter: (label: string, at: number) => texts.get(at) ?? label,
      lineHeight,
    },
  }
}

/** Removes the properties that tilt or truncate names. */
function plainLabel(given: object): object {
  const { rotate: _, width: __, overflow: ___, ...label } = given as Record<string, unknown>
  return label
}

export function heatmapOption(series: SpecSeries, grid: HeatmapGrid, around: RenderContext) {
  const { theme, locale } = around
  const { cell: room } = computeLayout(series, grid, around)
  const label = series.label as SpecLabel
  const write = formatter(label.format ?? 'SMART_NUMBER', locale)
  const texts = label.show ? grid.items.map(({ value }) => write(value)) : []
  const hasLabels = Boolean(label.show) && room.height >= lineHeight && widestText(texts) + 4 <= room.width
  return {
    type: 'heatmap',
    name: grid.name,
    animation: false,
    itemStyle: series.itemStyle,
    emphasis: { itemStyle: { borderColor: theme.text, borderWidth: 1.5 } },
    label: { show: hasLabels, fontSize: size, fontFamily: theme.font },
    data: grid.items.map((cell, index) => {
      const value = [cell.x, cell.y, cell.place ?? 0]
      if (!hasLabels && cell.place !== null) return value
      const color = resolveCellColor(cell, grid, theme)
      return {
        value,
        ...(cell.place === null && { visualMap: false, itemStyle: { color } }),
        // ECharts would interpret placeholders in a plain string
        ...(hasLabels && { label: { color: textColorOn(color), formatter: () => texts[index] ?? '' } }),
      }
    }),
  }
}

/** Axes, grid and legend. */
export function heatmapComponents(series: SpecSeries, grid: HeatmapGrid, around: RenderContext) {
  const { box, x, everyY, names } = computeLayout(series, grid, around)
  const y = axisOption(
    { type: 'category', axisLine: { show: false }, axisTick: { show: false } },
    { side: 'y', labels: grid.y.labels, times: [], isDimension: true, isZoomable: false, names: 0 },
    around,
  )
  return {
    grid: box,
    xAxis: x,
    yAxis: {
      ...y,
      inverse: !isUpward(grid),
      axisLabel: { ...(y.axisLabel as object), width: names, ...(everyY > 0 && { interval: everyY - 1 }) },
    },
    visualMap: buildLegend(series, grid, around),
  }
}

function buildLegend(
  { legendType, label }: SpecSeries,
  { ramp, range, across, pieces }: HeatmapGrid,
  around: RenderContext,
) {
  const { theme, locale, translate } = around
  const write = formatter((label as SpecLabel).format ?? 'SMART_NUMBER', locale)
  const colors = ramps[ramp]?.[theme.name] ?? []
  const common = {
    show: legendType !== undefined,
    dimension: 2,
    seriesIndex: 0,
    // it would show positions along the ramp instead of values
    hoverLink: false,
    min: 0,
    max: 1,
    orient: 'horizontal',
    top: edge,
    right: edge,
    padding: 0,
    textStyle: { color: theme.text2, fontSize: size, fontFamily: theme.font },
    inRange: { color: colors },
  }
  const valueAt = (part: number) => write(range ? range[0] * (1 - part) + range[1] * part : null)
  const ends = range ? [valueAt(0), valueAt(1)] : rampEndLabels(across, translate)
  if (pieces === null)
    return {
      ...common,
      type: 'continuous',
      calculable: false,
      itemWidth: 10,
      itemHeight: Math.min(160, around.width / 3),
      text: ends.toReversed(),
    }
  const steps = Array.from({ length: pieces }, (_, index) => ({
    gte: index / pieces,
    ...(index < pieces - 1 ? { lt: (index + 1) / pieces } : { lte: 1 }),
    color: rampColor(ramp, quantize(index / pieces, pieces), theme.name),
    label: range ? `${valueAt(index / pieces)} – ${valueAt((index + 1) / pieces)}` : '',
  }))
  const needed = range ? steps.reduce((sum, step) => sum + textWidth(step.label, size) + 32, 0) : Infinity
  return {
    ...common,
    type: 'piecewise',
    selectedMode: false,
    itemWidth: 12,
    itemHeight: 12,
    itemGap: 10,
    itemSymbol: 'roundRect',
    pieces: steps,
    // labels only the ends if not all steps fit, or if the steps are not numbers
    ...(needed > around.width - 2 * edge && { showLabel: false, itemGap: 5, text: ends.toReversed() }),
  }
}

/** End labels for colors that are relative to a column or row, or ranked. */
function rampEndLabels(across: HeatmapGrid['across'], say: RenderContext['translate']): [string, string] {
  if (across === 'x')
    return [say('picture.heatmap.lowInColumn', 'Lowest in column'), say('picture.heatmap.highInColumn', 'Highest')]
  if (across === 'y')
    return [say('picture.heatmap.lowInRow', 'Lowest in row'), say('picture.heatmap.highInRow', 'Highest')]
  return [say('picture.heatmap.low', 'Lowest'), say('picture.heatmap.high', 'Highest')]
}
