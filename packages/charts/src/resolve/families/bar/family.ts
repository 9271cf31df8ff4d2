import { BarChart } from 'echarts/charts'
import { formatter } from '../../../shared/formats/format.ts'
import { labelOption, type SpecLabel } from '../../axes/labels.ts'
import { largeModeOptions } from '../../axes/large-mode.ts'
import { readPlot } from '../../axes/plot.ts'
import { seriesBase } from '../../axes/series-base.ts'
import { barStyle } from '../../axes/bar-size.ts'
import { withAlpha } from '../../../shared/colors/color.ts'
import { fadedOpacity, isFaded, outline } from '../../paint.ts'
import { defineAxesFamily } from '../family.ts'

interface BarLabel extends SpecLabel {
  /** `total`: label of the whole stack, at its free end. */
  of?: 'total'
  /** Parts of a stack below this share, in percent, have no label. */
  from?: number
}

/** Bars from zero, side by side or stacked, with rounded free ends. */
export default defineAxesFamily({
  parts: [BarChart],
  read: readPlot,
  option(series, plot, place, around) {
    const { color, ...base } = seriesBase(series, plot, around)
    const opacity = isFaded(plot.key, around.selected) ? fadedOpacity : undefined
    const { of, from, ...spec } = (series.label ?? {}) as BarLabel
    const write = formatter(spec.format ?? 'SMART_NUMBER', around.locale)
    const edge = outline(color, around.theme)
    const isMany = plot.y.length >= largeModeOptions.largeThreshold
    const isThin = place.bars.across < minOutlinedPx
    return {
      ...base,
      color,
      barMaxWidth: barStyle.maxWidth,
      barCategoryGap: `${barStyle.categoryGap * 100}%`,
      barGap: '6%',
      ...largeModeOptions,
      emphasis: { focus: 'none' },
      itemStyle: { ...(!isThin && edge), opacity, ...(series.itemStyle as object) },
      ...labelOption(series.label && spec, place, around, color),
      data: plot.y.map((value, i) => {
        const at = place.axis === 'category' ? value : place.isFlipped ? [value, plot.x[i]] : [plot.x[i], value]
        if (isMany) return at
        const { isEnd, total } = place.ends[i] ?? { isEnd: true, total: value ?? 0 }
        const isTooSmall = from !== undefined && total !== 0 && (100 * (value ?? 0)) / total < from
        const label =
          of === 'total'
            ? { label: { show: isEnd, formatter: write(total) } }
            : isTooSmall
              ? { label: { show: false } }
              : {}
        const isShort = 'borderWidth' in edge && Math.abs(value ?? 0) * place.bars.perUnit < minOutlinedPx
        const itemStyle = {
          ...(isEnd && { borderRadius: ending(value ?? 0, place.isFlipped) }),
          ...(isShort && { borderWidth: 0 }),
          ...(i === plot.unfinished && unfinished(color, isThin || isShort)),
        }
        return { value: at, ...(Object.keys(itemStyle).length > 0 && { itemStyle }), ...label }
      }),
    }
  },
})

const radius = 2
/** Bars below this many pixels would be mostly outline. */
const minOutlinedPx = 6

/** Style of a bar whose period is incomplete. */
const unfinished = (color: string, isSmall: boolean) => ({
  color: withAlpha(color, 0.35),
  ...(!isSmall && { borderColor: color, borderWidth: 1, borderType: [4, 3] }),
})

/** Corner radii at the free end, clockwise from the top left. */
const ending = (value: number, isFlipped: boolean) =>
  isFlipped
    ? value >= 0
      ? [0, radius, radius, 0]
      : [radius, 0, 0, radius]
    : value >= 0
      ? [radius, radius, 0, 0]
      : [0, 0, radius, radius]
