import { ScatterChart } from 'echarts/charts'
import { labelOption } from '../../axes/labels.ts'
import { pairs, plotOf } from '../../axes/plot.ts'
import { seriesBase } from '../../axes/series-base.ts'
import { manyAtOnce } from '../../axes/many.ts'
import { drawnColor, emptyMark, fadedOpacity, isFaded } from '../../paint.ts'
import { onAxes } from '../family.ts'

/** Points, light enough to see through where they lie upon each other. */
export default onAxes({
  parts: [ScatterChart],
  read: plotOf,
  option(series, plot, place, around) {
    const opacity = isFaded(plot.key, around.selected) ? fadedOpacity : 0.75
    const empty = { ...emptyMark(drawnColor(plot.color, around.theme), around.theme), opacity }
    return {
      ...seriesBase(series, plot, around),
      ...labelOption(series.label, place, around),
      data: pairs(plot, place).map((value, at) => (at === plot.unfinished ? { value, itemStyle: empty } : value)),
      itemStyle: { opacity },
      ...manyAtOnce,
    }
  },
})
