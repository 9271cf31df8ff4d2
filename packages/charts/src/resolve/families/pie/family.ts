import { PieChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { inkOn } from '../../../shared/colors/color.ts'
import { formatter } from '../../../shared/formats/format.ts'
import { ofItems } from '../../items/of-items.ts'
import type { SpecItem } from '../family.ts'
import { drawnColor, fadedOpacity, isFaded } from '../../paint.ts'
import { sizeOf } from '../../items/tip.ts'
import { totalOption } from '../../items/total.ts'
import { itemText, type ItemLabel } from '../../items/labels.ts'

const wholeOf = (items: readonly SpecItem[]): number => items.reduce((sum, item) => sum + sizeOf(item), 0)

/** Slices of a whole. */
export default ofItems({
  parts: [PieChart, TitleComponent],
  components: (series, { items }, around) =>
    totalOption(series, { sum: wholeOf(items), isMiddleFree: Array.isArray(series.radius) }, around),
  option(series, { name: title, color, items }, around) {
    const { theme, locale } = around
    const { data: _, key: __, total: ___, label: given, ...own } = series
    const label = (given ?? {}) as ItemLabel
    const whole = wholeOf(items)
    const write = formatter(label.format ?? 'SMART_NUMBER', locale)
    const percent = formatter(',.1~%', locale)
    const isOutside = label.position !== 'inside'
    return {
      ...own,
      name: title,
      color: undefined,
      animation: around.animate ?? false,
      startAngle: 90,
      avoidLabelOverlap: true,
      minShowLabelAngle: 0,
      emphasis: { scaleSize: 4 },
      labelLine: {
        show: label.show !== false && isOutside,
        length: 8,
        length2: 8,
        lineStyle: { color: theme.axis },
        ...(series.labelLine as object),
      },
      data: items.map((item) => {
        const { name, value, key = {} } = item
        const size = item.together ?? value
        const fill = drawnColor(item.color ?? color, theme)
        const share = whole > 0 && size !== null ? size / whole : 0
        const isShown = label.show !== false && share * 100 >= (label.from ?? 0)
        return {
          name,
          value: size,
          itemStyle: {
            color: fill,
            borderColor: theme.surface,
            borderWidth: 1.5,
            opacity: isFaded(key, around.selected) ? fadedOpacity : 1,
          },
          labelLine: { show: isShown && isOutside },
          label: {
            show: isShown,
            position: isOutside ? 'outside' : 'inside',
            color: isOutside ? theme.text2 : inkOn(fill),
            fontSize: 12,
            fontFamily: theme.font,
            formatter: itemText(label, {
              name,
              value: item.together === undefined ? write(value) : '',
              share: percent(share),
            }),
          },
        }
      }),
    }
  },
})
