import { LineChart } from 'echarts/charts'
import type { AxisType } from '../../axes/plot.ts'
import { toThemeColor } from '../../paint.ts'
import { defineNoteFamily, type SpecSeries } from '../family.ts'

type Point = [along: number | string | null, value: number | null]
const readPoints = ({ data = [] }: SpecSeries) => data as unknown as Point[]

const manyPoints = 2000

/** A line to compare the data with, such as a formula or another chart, at its own positions along the axis. */
export default defineNoteFamily({
  parts: [LineChart],
  option: (all, { axis, isFlipped }, { theme }) =>
    all.map((series, index) => {
      const { name = '', color = '', lineStyle, showSymbol } = series
      const points = readPoints(series)
      const isAlone = points.filter(([, value]) => value !== null).length === 1
      return {
        type: 'line',
        id: `overlay ${index} ${name}`,
        name,
        color: toThemeColor(color, theme),
        silent: true,
        animation: false,
        tooltip: { show: false },
        emphasis: { disabled: true },
        z: 3,
        symbol: 'circle',
        symbolSize: 5,
        showSymbol: showSymbol === true || isAlone,
        ...(points.length > manyPoints && { sampling: 'lttb' }),
        lineStyle: { join: 'round', cap: 'round', ...(lineStyle as object) },
        data: toData(points, axis, isFlipped),
      }
    }),
  textsAt(series, { at, from }, axis, write) {
    const points = readPoints(series)
    const value = axis === 'category' ? points[at]?.[1] : points.find(([along]) => along === from)?.[1]
    return value === null || value === undefined ? [] : [write(value)]
  },
  reach: (series) => readPoints(series).flatMap(([along]) => (typeof along === 'number' ? [along] : [])),
})

const toData = (points: readonly Point[], axis: AxisType, isFlipped: boolean): unknown[] =>
  axis === 'category'
    ? points.map(([, value]) => value)
    : points.map(([along, value]) => (isFlipped ? [value, along] : [along, value]))
