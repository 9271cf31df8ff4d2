import { SunburstChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { defineItemsFamily } from '../../items/items-family.ts'
import { hierarchyDefaults } from '../../levels/hierarchy-defaults.ts'
import { totalOption } from '../../items/total.ts'
import { fullFormat } from '../../tooltip.ts'
import { readRingSegments, type RingSegment } from './marks.ts'
import { sunburstOption, sumRootAreas } from './option.ts'

/** Nested parts, one level per ring. */
export default defineItemsFamily<RingSegment>({
  ...hierarchyDefaults,
  parts: [SunburstChart, TitleComponent],
  read: readRingSegments,
  option: sunburstOption,
  components: (series, { items }, around) =>
    totalOption(series, { sum: sumRootAreas(items), isMiddleFree: true }, around),
  /** Adds a row for the secondary metric. */
  tip(marks, index, tooltip, around) {
    const tip = hierarchyDefaults.tip(marks, index, tooltip, around)
    const { second = null, secondOf, color = '' } = marks.items[index] ?? {}
    if (!secondOf) return tip
    const value = formatter(fullFormat(secondOf.format), around.locale)(second)
    return {
      ...tip,
      rows: [...tip.rows, { name: secondOf.name, color, value, share: null, number: second, isHovered: false }],
    }
  },
})
