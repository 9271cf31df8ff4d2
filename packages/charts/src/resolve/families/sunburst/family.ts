import { SunburstChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { ofItems } from '../../items/of-items.ts'
import { levels } from '../../levels/levels.ts'
import { totalOption } from '../../items/total.ts'
import { fullFormat } from '../../tooltip.ts'
import { readRings, type Ring } from './marks.ts'
import { sunburstOption, wholeOf } from './option.ts'

/** Parts within parts, ring by ring. */
export default ofItems<Ring>({
  ...levels,
  parts: [SunburstChart, TitleComponent],
  read: readRings,
  option: sunburstOption,
  components: (series, { items }, around) => totalOption(series, { sum: wholeOf(items), isMiddleFree: true }, around),
  /** The secondary metric has a line of its own. */
  tip(marks, at, tooltip, around) {
    const tip = levels.tip(marks, at, tooltip, around)
    const { second = null, secondOf, color = '' } = marks.items[at] ?? {}
    if (!secondOf) return tip
    const value = formatter(fullFormat(secondOf.format), around.locale)(second)
    return {
      ...tip,
      rows: [...tip.rows, { name: secondOf.name, color, value, share: null, number: second, isHovered: false }],
    }
  },
})
