import { LineChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { belowZero, labelOption, type SpecLabel } from '../../axes/labels.ts'
import { toDataPairs, readPlot, type Plot } from '../../axes/plot.ts'
import { seriesBase } from '../../axes/series-base.ts'
import { endLabelOption } from '../../axes/end-labels.ts'
import { hasChosenPositions, isAtOtherPosition, seriesOpacity } from '../../axes/chosen-position.ts'
import { toThemeColor, isFaded } from '../../paint.ts'
import { defineAxesFamily, type SeriesPlacement, type SpecSeries } from '../family.ts'
import { toPairsWithGap, unfinishedAt, buildUnfinishedSegment } from './unfinished.ts'

const manyPoints = 2000

/** Lines with or without an area below them. */
export default defineAxesFamily({
  parts: [LineChart, TitleComponent],
  read: readPlot,
  option(series, plot, place, around) {
    const isAlone = plot.y.filter((value) => value !== null).length === 1
    const area = series.areaStyle as { opacity?: number } | undefined
    const opacity = seriesOpacity(plot, around.selected)
    const isLabelled = Boolean(series.label)
    const { of, from, ...label } = (series.label ?? {}) as SpecLabel & { of?: 'total'; from?: number }
    const data = toPairsWithGap(fillStackGaps(series, plot), place)
    return {
      ...seriesBase(series, plot, around),
      symbol: 'circle',
      symbolSize: 6,
      ...(series.symbolSize !== undefined && { symbolSize: series.symbolSize }),
      showSymbol: series.showSymbol === true || isAlone || isLabelled,
      // ECharts attaches labels to points, so points are hidden in the line when only labels are requested.
      ...(isLabelled && { showAllSymbol: true, ...(!series.showSymbol && !isAlone && { symbolSize: 1 }) }),
      connectNulls: false,
      emphasis: { scale: false, lineStyle: { width: 2 } },
      ...(plot.y.length > manyPoints && { sampling: 'lttb' }),
      lineStyle: { width: 2, join: 'round', cap: 'round', opacity, ...(series.lineStyle as object) },
      ...(opacity !== undefined && { itemStyle: { opacity } }),
      // Where an upper area is zero, its edge coincides with that of the area below, which must stay visible.
      ...(area && plot.stack !== undefined && !series.isAroundMiddle && { z: 2 - place.rank / 1000 }),
      ...(area && { areaStyle: { ...area, opacity: (area.opacity ?? 0.2) * (opacity ?? 1) } }),
      ...(place.isUpsideDown && { stackOrder: 'seriesDesc' }),
      ...(series.isAroundMiddle === true && stream),
      ...(series.endLabel ? endLabelOption(around) : {}),
      ...labelOption(isLabelled && label, place, around),
      data:
        of === 'total' || from !== undefined
          ? withPartialLabels(data, plot, place, {
              from,
              position: label.position,
              write: of && formatter(label.format ?? 'SMART_NUMBER', around.locale),
            })
          : data,
    }
  },
  beside(series, plot, place, { theme, selected }) {
    if (series.isAroundMiddle) return [belowMiddle(series, plot, place)]
    const opacity = seriesOpacity(plot, selected)
    const look = { color: toThemeColor(plot.color, theme), opacity, theme }
    const filled = fillStackGaps(series, plot)
    const at = unfinishedAt(plot)
    const alone = series.showSymbol === true || series.label ? [] : findPointsBetweenGaps(filled)
    const isChosen = hasChosenPositions(plot, selected) && !isFaded(plot.key, selected)
    const chosen = isChosen ? [...plot.y.keys()].filter((index) => !isAtOtherPosition(plot, index, selected)) : []
    return [
      ...(at === null ? [] : [buildUnfinishedSegment(at, filled, place, series, look)]),
      ...(alone.length === 0 ? [] : [buildPoints('points', alone, filled, place, series, look)]),
      ...(chosen.length === 0
        ? []
        : [buildPoints('chosen', chosen, filled, place, series, { ...look, opacity: 1, size: 9 })]),
    ]
  },
  toDataIndex: (plot, index) => (index >= (unfinishedAt(plot) ?? Infinity) ? index + 1 : index),
  fromDataIndex: (plot, index) => (index > (unfinishedAt(plot) ?? Infinity) ? index - 1 : index),
})

/** Indices of the points that no line leads to or from; none if there is only one point, which the line itself shows. */
function findPointsBetweenGaps({ y, unfinished }: Plot): number[] {
  const isThere = (index: number) => (y[index] ?? null) !== null
  const alone = y.flatMap((_, index) =>
    isThere(index) && !isThere(index - 1) && !isThere(index + 1) && index !== unfinished ? [index] : [],
  )
  return y.filter((value) => value !== null).length > 1 ? alone : []
}

/**
 * Points that would not be visible in their line, or that filter other charts, as a separate series because points of a line are
 * shown only on hover.
 */
function buildPoints(
  kind: 'points' | 'chosen',
  shown: readonly number[],
  plot: Plot,
  place: SeriesPlacement,
  series: SpecSeries,
  { color, opacity, size = 5 }: { color: string; opacity: number | undefined; size?: number },
) {
  const y = plot.y.map(() => null as number | null)
  for (const at of shown) y[at] = plot.stack === undefined ? (plot.y[at] ?? null) : (place.ends[at]?.top ?? null)
  return {
    type: 'line',
    id: `${kind} ${plot.name}`,
    name: plot.name,
    color,
    silent: true,
    animation: false,
    tooltip: { show: false },
    emphasis: { disabled: true },
    ...(series.yAxisIndex !== undefined && { yAxisIndex: series.yAxisIndex }),
    symbol: 'circle',
    symbolSize: size,
    showSymbol: true,
    showAllSymbol: true,
    itemStyle: { opacity },
    lineStyle: { opacity: 0 },
    data: toDataPairs({ ...plot, y }, place),
  }
}

/**
 * Adds labels to some of the points.
 * @param write formats totals, which appear only at the end of their stack
 * @param from  parts of a stack below this share, in percent, have no label
 */
function withPartialLabels(
  data: unknown[],
  plot: Plot,
  { ends }: SeriesPlacement,
  {
    from = 0,
    write,
    position,
  }: Pick<SpecLabel, 'position'> & {
    from: number | undefined
    write: ((total: number) => string) | undefined
  },
): unknown[] {
  const gap = unfinishedAt(plot)
  return data.map((value, i) => {
    const at = gap !== null && i > gap ? i - 1 : i
    const { total, label } = ends[at] ?? { total: 0, label: null }
    if (write) {
      const side = (plot.y[at] ?? 0) < 0 ? belowZero(position) : {}
      return { value, label: { show: label !== null && i !== gap, formatter: write(label ?? 0), ...side } }
    }
    const isTooSmall = total !== 0 && (100 * (plot.y[at] ?? 0)) / total < from
    return isTooSmall ? { value, label: { show: false } } : value
  })
}

/** The last series is the lowest one, so the part below the center line, which is not a separate series, is drawn there. */
const stream = { stackStrategy: 'all', stackOrder: 'seriesDesc' }

/** Moves the stack below the center line by half of every band. */
function belowMiddle(series: SpecSeries, plot: Plot, place: SeriesPlacement) {
  const { smooth, step } = series
  const y = plot.y.map((value) => -(value ?? 0) / 2)
  return {
    type: 'line',
    id: `below the middle ${plot.name}`,
    name: plot.name,
    stack: plot.stack,
    ...stream,
    smooth,
    step,
    silent: true,
    animation: false,
    tooltip: { show: false },
    emphasis: { disabled: true },
    symbol: 'none',
    lineStyle: { opacity: 0 },
    data: toDataPairs({ ...plot, y }, place),
  }
}

/**
 * Fills missing parts of a stacked area with zero, because a gap would tear the bands above it. Positions after the end stay
 * empty. ECharts would put a zero of a band below the axis on top of the bands above it, unless it has the sign of its band.
 */
function fillStackGaps({ areaStyle, end = Infinity }: SpecSeries, plot: Plot): Plot {
  if (!areaStyle || plot.stack === undefined) return plot
  const isBelow = plot.y.some((value) => value !== null && value < 0) && plot.y.every((value) => (value ?? 0) <= 0)
  const zero = isBelow ? -Number.MIN_VALUE : 0
  return { ...plot, y: plot.y.map((value, index) => (value === null && index > end ? null : value || zero)) }
}
