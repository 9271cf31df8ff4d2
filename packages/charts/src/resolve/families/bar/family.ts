import { barChart } from './bar-chart.ts'
import { TitleComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { belowZero, labelOption, type SpecLabel } from '../../axes/labels.ts'
import { largeModeOptions } from '../../axes/large-mode.ts'
import { isAtOtherPosition } from '../../axes/chosen-position.ts'
import { readPlot } from '../../axes/plot.ts'
import { seriesBase } from '../../axes/series-base.ts'
import { barStyle } from '../../axes/bar-size.ts'
import { withAlpha } from '../../../shared/colors/color.ts'
import { fadedOpacity, isFaded, outline } from '../../paint.ts'
import { defineAxesFamily, type SeriesPlacement } from '../family.ts'

interface BarLabel extends SpecLabel {
  /** `total`: label of the whole stack, at its free end. */
  of?: 'total'
  /** Parts of a stack below this share, in percent, have no label. */
  from?: number
}

/** Bars from zero, side by side or stacked, with rounded free ends. */
export default defineAxesFamily({
  parts: [barChart, TitleComponent],
  read: readPlot,
  option(series, plot, place, around) {
    const { color, ...base } = seriesBase(series, plot, around)
    const opacity = isFaded(plot.key, around.selected) ? fadedOpacity : undefined
    const { of, from, ...spec } = (series.label ?? {}) as BarLabel
    const write = formatter(spec.format ?? 'SMART_NUMBER', around.locale)
    const edge = outline(color, around.theme)
    const isLogStack = place.logStart !== null && plot.stack !== undefined
    const isMany = plot.y.length >= largeModeOptions.largeThreshold
    const isThin = place.bars.across < minOutlinedPx
    return {
      ...base,
      color,
      barMaxWidth: barStyle.maxWidth,
      barCategoryGap: `${barStyle.categoryGap * 100}%`,
      barGap: `${barStyle.gap * 100}%`,
      barMinWidth: place.bars.least,
      ...largeModeOptions,
      ...(place.isUpsideDown && { stackOrder: 'seriesDesc' }),
      emphasis: { focus: 'none' },
      itemStyle: { ...(!isThin && edge), opacity, ...(series.itemStyle as object) },
      ...labelOption(series.label && spec, place, around, color),
      data: plot.y.map((value, i) => {
        const drawn = isLogStack ? toLogStack(value, place, i) : value
        const at = place.axis === 'category' ? drawn : place.isFlipped ? [drawn, plot.x[i]] : [plot.x[i], drawn]
        if (isMany) return at
        if (isLogStack && value === null) return { value: at, label: { show: false }, itemStyle: { opacity: 0 } }
        const { isEnd, total, label: sum } = place.ends[i] ?? { isEnd: true, total: value ?? 0, label: value }
        const isTooSmall = from !== undefined && total !== 0 && (100 * (value ?? 0)) / total < from
        const isLabelled = of === 'total' ? sum !== null : !isTooSmall
        const label = {
          ...(!isLabelled && { show: false }),
          ...(of === 'total' ? { formatter: write(sum) } : isLogStack && { formatter: write(value) }),
          ...((value ?? 0) < 0 && belowZero(spec.position)),
        }
        const isShort = 'borderWidth' in edge && Math.abs(value ?? 0) * place.bars.perUnit < minOutlinedPx
        const isOther = opacity === undefined && isAtOtherPosition(plot, i, around.selected)
        const itemStyle = {
          ...(isOther && { opacity: fadedOpacity }),
          ...(isEnd && { borderRadius: cornerRadii(value ?? 0, place.isFlipped) }),
          ...(isShort && { borderWidth: 0 }),
          ...(i === plot.unfinished && unfinishedStyle(color, isThin || isShort)),
        }
        return {
          value: at,
          ...(Object.keys(itemStyle).length > 0 && { itemStyle }),
          ...(Object.keys(label).length > 0 && { label }),
        }
      }),
    }
  },
})

/**
 * ECharts begins the upper bars of a stack at the sum of those below, which is 0 above an empty bar. So an empty first bar reaches
 * to the start of the axis, with no height, and the next one is shorter by this start.
 */
function toLogStack(
  value: number | null,
  { logStart, opensStack, ends }: SeriesPlacement,
  index: number,
): number | null {
  if (opensStack) return value ?? logStart
  return value !== null && ends[index]?.isStart ? value - (logStart ?? 0) : value
}

const radius = 2
/** Bars below this many pixels would be mostly outline. */
const minOutlinedPx = 6

/** Style of a bar whose period is incomplete. */
const unfinishedStyle = (color: string, isSmall: boolean) => ({
  color: withAlpha(color, 0.35),
  ...(!isSmall && { borderColor: color, borderWidth: 1, borderType: [4, 3] }),
})

/** Corner radii at the free end, clockwise from the top left. */
const cornerRadii = (value: number, isFlipped: boolean) =>
  isFlipped
    ? value >= 0
      ? [0, radius, radius, 0]
      : [radius, 0, 0, radius]
    : value >= 0
      ? [radius, radius, 0, 0]
      : [0, 0, radius, radius]
