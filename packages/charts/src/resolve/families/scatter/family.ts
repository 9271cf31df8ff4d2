import { ScatterChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { labelOption } from '../../axes/labels.ts'
import { toDataPairs, readPlot } from '../../axes/plot.ts'
import { seriesBase } from '../../axes/series-base.ts'
import { isAtOtherPosition } from '../../axes/chosen-position.ts'
import { largeModeOptions } from '../../axes/large-mode.ts'
import { toThemeColor, emptyMark, fadedOpacity, isFaded } from '../../paint.ts'
import { defineAxesFamily } from '../family.ts'

/** Points, translucent where they overlap. */
export default defineAxesFamily({
  parts: [ScatterChart, TitleComponent],
  read: readPlot,
  option(series, plot, place, around) {
    const opacity = isFaded(plot.key, around.selected) ? fadedOpacity : 0.75
    const empty = { ...emptyMark(toThemeColor(plot.color, around.theme), around.theme), opacity }
    return {
      ...seriesBase(series, plot, around),
      ...labelOption(series.label, place, around),
      data: toDataPairs(plot, place).map((value, index) => {
        const faded = isAtOtherPosition(plot, index, around.selected) && { opacity: fadedOpacity }
        const isPlain = index !== plot.unfinished && !faded
        return isPlain ? value : { value, itemStyle: { ...(index === plot.unfinished && empty), ...faded } }
      }),
      itemStyle: { opacity },
      ...largeModeOptions,
    }
  },
})
