import { LineChart } from 'echarts/charts'
import { toDataPairs } from '../../axes/plot.ts'
import { seriesOpacity } from '../../axes/chosen-position.ts'
import { toThemeColor, emptyMark } from '../../paint.ts'
import { defineAxesFamily, type SpecSeries } from '../family.ts'
import { readForecast, type ForecastPlot } from './read.ts'

/** Continues a series of the same name: a dashed line within its expected range. It has no rows. */
export default defineAxesFamily<ForecastPlot>({
  parts: [LineChart],
  read: readForecast,
  option: (series, plot, place, { theme, selected }) => {
    const color = toThemeColor(plot.color, theme)
    const opacity = seriesOpacity(plot, selected)
    const points = plot.y.filter((value) => value !== null).length
    return {
      ...lineOptions(series, plot),
      id: `forecast ${plot.name}`,
      color,
      symbol: 'circle',
      symbolSize: 5,
      showSymbol: !plot.isLine || (points === 1 && !plot.before),
      itemStyle: { ...emptyMark(color, theme), opacity },
      emphasis: { scale: false, lineStyle: { width: 2 } },
      lineStyle: { color, width: 2, type: [5, 4], opacity },
      ...(series.stack !== undefined && { stack: series.stack }),
      data: toDataPairs({ ...plot, y: addLastKnown(plot, plot.y) }, place),
    }
  },
  /** Adds the bands, except in a stack, where they would overlap. */
  beside(series, plot, place, { theme, selected }) {
    if (series.stack !== undefined) return []
    const { low, high } = plot.range
    const width = high.map((value, index) => (value === null ? null : value - (low[index] ?? value)))
    const opacity = seriesOpacity(plot, selected) ?? 1
    const edge = (side: string, y: (number | null)[], more: object) => ({
      ...lineOptions(series, plot),
      id: `forecast ${side} ${plot.name}`,
      color: toThemeColor(plot.color, theme),
      silent: true,
      animation: false,
      tooltip: { show: false },
      emphasis: { disabled: true },
      symbol: 'none',
      z: 1,
      stack: `forecast ${plot.name}`,
      stackStrategy: 'all',
      lineStyle: { width: 0 },
      ...more,
      data: toDataPairs({ ...plot, y }, place),
    })
    return [
      edge('low', addLastKnown(plot, low), {}),
      edge('range', addLastKnown(plot, width, 0), { areaStyle: { opacity: 0.16 * opacity } }),
    ]
  },
  facts: () => null,
})

const lineOptions = (series: SpecSeries, { name }: ForecastPlot) => ({
  type: 'line',
  name,
  ...(series.smooth !== undefined && { smooth: series.smooth }),
  ...(series.step !== undefined && { step: series.step }),
})

/** Adds the last known value, from which the line starts. */
function addLastKnown({ before }: ForecastPlot, y: (number | null)[], value = before?.value): (number | null)[] {
  return before && value !== undefined ? y.with(before.at, value) : y
}
