import { LineChart } from 'echarts/charts'
import { labelOption } from '../../axes/labels.ts'
import { plotOf, type Plot } from '../../axes/plot.ts'
import { seriesBase } from '../../axes/series-base.ts'
import { endLabelOption } from '../../axes/end-labels.ts'
import { drawnColor, fadedOpacity, isFaded } from '../../paint.ts'
import { onAxes, type SpecSeries } from '../family.ts'
import { brokenPairs, unfinishedAt, wayTo } from './unfinished.ts'

const manyPoints = 2000

/** Lines, with or without an area below them. */
export default onAxes({
  parts: [LineChart],
  read: plotOf,
  option(series, plot, place, around) {
    const isAlone = plot.y.filter((value) => value !== null).length === 1
    const area = series.areaStyle as { opacity?: number } | undefined
    const opacity = isFaded(plot.key, around.selected) ? fadedOpacity : undefined
    return {
      ...seriesBase(series, plot, around),
      ...labelOption(series.label, place, around),
      symbol: 'circle',
      symbolSize: 6,
      ...(series.symbolSize !== undefined && { symbolSize: series.symbolSize }),
      showSymbol: series.showSymbol === true || isAlone,
      connectNulls: false,
      emphasis: { scale: false, lineStyle: { width: 2 } },
      ...(plot.y.length > manyPoints && { sampling: 'lttb' }),
      lineStyle: { width: 2, join: 'round', cap: 'round', opacity, ...(series.lineStyle as object) },
      ...(area && { areaStyle: { ...area, opacity: (area.opacity ?? 0.2) * (opacity ?? 1) } }),
      ...(series.endLabel ? endLabelOption(around.theme) : {}),
      data: brokenPairs(whole(series, plot), place),
    }
  },
  beside(series, plot, place, { theme, selected }) {
    const at = unfinishedAt(plot)
    if (at === null) return []
    const opacity = isFaded(plot.key, selected) ? fadedOpacity : undefined
    const look = { color: drawnColor(plot.color, theme), opacity, theme }
    return [wayTo(at, whole(series, plot), place, series, look)]
  },
  indexOf: (plot, at) => (at >= (unfinishedAt(plot) ?? Infinity) ? at + 1 : at),
  atOf: (plot, index) => (index > (unfinishedAt(plot) ?? Infinity) ? index - 1 : index),
})

/** A part of a stacked area that is missing adds nothing; a gap would tear the bands above it. Behind the end there are none. */
const whole = ({ areaStyle, end = Infinity }: SpecSeries, plot: Plot): Plot =>
  areaStyle && plot.stack !== undefined
    ? { ...plot, y: plot.y.map((value, at) => value ?? (at > end ? null : 0)) }
    : plot
