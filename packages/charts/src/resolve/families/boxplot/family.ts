import { BoxplotChart, ScatterChart } from 'echarts/charts'
import { mixColors } from '../../../shared/colors/ramps.ts'
import { formatter } from '../../../shared/formats/format.ts'
import { clampToAxis, type Plot } from '../../axes/plot.ts'
import { seriesBase } from '../../axes/series-base.ts'
import { toThemeColor, fadedOpacity, isFaded, othersColor } from '../../paint.ts'
import { fullFormat } from '../../tooltip.ts'
import { defineAxesFamily, type SpecItem } from '../family.ts'
import { buildBoxRows, type WhiskerType } from './rows.ts'

export interface BoxItem extends SpecItem {
  /** Ends of the whiskers. */
  min: number | null
  max: number | null
  q1: number | null
  median: number | null
  q3: number | null
  mean: number | null
  /** Count of the numbers behind the box. */
  count: number | null
  outliers: number[]
  /** Label of the metric, and its number format. */
  metric: string
  format: string
}
export interface BoxPlot extends Plot {
  boxes: readonly BoxItem[]
  whiskers: WhiskerType
}

const corners = ['min', 'q1', 'median', 'q3', 'max'] as const
const isCompleteBox = (box: BoxItem): boolean => corners.every((corner) => typeof box[corner] === 'number')

/** How far the fill of a box is mixed towards the background compared with its edge. */
const fillLightness = 0.72

/** Boxes of the middle half, with whiskers and with outliers as points. */
export default defineAxesFamily<BoxPlot>({
  parts: [BoxplotChart, ScatterChart],
  read({ name = '', color = othersColor, data = [], whiskers = 'tukey' }) {
    const boxes = data as BoxItem[]
    return {
      name,
      color,
      key: {},
      boxes,
      whiskers: whiskers as WhiskerType,
      x: boxes.map((box) => box.name),
      y: boxes.map((box) => (isCompleteBox(box) ? box.median : null)),
      xColumn: '',
    }
  },
  option(given, plot, _, around) {
    const { whiskers: __, ...series } = given
    return {
      ...seriesBase(series, plot, around),
      boxWidth: [2, 56],
      emphasis: { focus: 'none', itemStyle: { borderWidth: 2.5, shadowBlur: 0, shadowOffsetX: 0, shadowOffsetY: 0 } },
      data: plot.boxes.map((box) => {
        const color = toThemeColor(box.color ?? plot.color, around.theme)
        const opacity = isFaded(box.key ?? {}, around.selected) ? fadedOpacity : 1
        return {
          value: isCompleteBox(box) ? corners.map((corner) => clampToAxis(box[corner])) : '-',
          itemStyle: {
            color: mixColors(color, around.theme.surface, fillLightness),
            borderColor: color,
            borderWidth: 1.5,
            opacity,
          },
        }
      }),
    }
  },
  beside(_, plot, __, around) {
    const points = plot.boxes.flatMap((box, index) => {
      const opacity = isFaded(box.key ?? {}, around.selected) ? fadedOpacity / 2 : 0.5
      const itemStyle = { color: toThemeColor(box.color ?? plot.color, around.theme), opacity }
      return box.outliers.map((value) => ({ value: [index, clampToAxis(value)], itemStyle }))
    })
    if (points.length === 0) return []
    return [
      {
        type: 'scatter',
        name: plot.name,
        silent: true,
        animation: false,
        symbolSize: 5,
        tooltip: { show: false },
        data: points,
      },
    ]
  },
  tip({ boxes, color, whiskers }, index, _, around) {
    const box = boxes[index]
    const paint = toThemeColor(box?.color ?? color, around.theme)
    return {
      title: box?.name ?? '',
      rows: box ? buildBoxRows(box, whiskers, around).map((row) => ({ ...row, color: paint, share: null })) : [],
      more: 0,
      total: null,
      isOfOne: true,
    }
  },
  facts({ boxes }, index) {
    const box = boxes[index]
    if (!box?.key || Object.keys(box.key).length === 0) return null
    const values = Object.fromEntries(
      [...corners, 'mean' as const, 'count' as const].map((part) => [`${box.metric}__${part}`, box[part]]),
    )
    return { key: box.key, values, name: box.name }
  },
  describe(plots, { kind }, { translate, locale }) {
    const boxes = plots.flatMap((plot) => plot.boxes.filter(isCompleteBox))
    const [first] = boxes
    if (!first) return translate('picture.describe.empty', '{kind} with no data.', { kind })
    const middle = (box: BoxItem) => box.median ?? 0
    const high = boxes.reduce((most, box) => (middle(box) > middle(most) ? box : most))
    const low = boxes.reduce((least, box) => (middle(box) < middle(least) ? box : least))
    const write = (box: BoxItem) => formatter(fullFormat(box.format), locale)(box.median)
    return translate(
      'picture.describe.boxes',
      '{kind} of {names} with {count, plural, one {# box} other {# boxes}}. Highest median: {high} ({highAt}). Lowest median: {low} ({lowAt}).',
      {
        kind,
        names: plots[0]?.name ?? '',
        count: boxes.length,
        high: write(high),
        highAt: high.name,
        low: write(low),
        lowAt: low.name,
      },
    )
  },
})
