import { PieChart } from 'echarts/charts'
import { inkOn } from '../../../shared/colors/color.ts'
import { formatter } from '../../../shared/formats/format.ts'
import { ofItems } from '../../items/of-items.ts'
import { drawnColor, fadedOpacity, isFaded } from '../../paint.ts'
import { itemText, type ItemLabel } from '../../items/labels.ts'

/** Slices of a whole. */
export default ofItems({
  parts: [PieChart],
  option(series, { name: title, color, items }, around) {
    const { theme, locale } = around
    const { data: _, key: __, label: given, ...own } = series
    const label = (given ?? {}) as ItemLabel
    const total = items.reduce((sum, { value }) => sum + (value ?? 0), 0)
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
      data: items.map(({ name, value, key = {}, ...item }) => {
        const fill = drawnColor(item.color ?? color, theme)
        const share = total > 0 && value !== null ? value / total : 0
        const isShown = label.show !== false && share * 100 >= (label.from ?? 0)
        return {
          name,
          value,
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
            formatter: itemText(label, { name, value: write(value), share: percent(share) }),
          },
        }
      }),
    }
  },
})
