import { FunnelChart } from 'echarts/charts'
import { formatter } from '../../../shared/formats/format.ts'
import { defineItemsFamily } from '../../items/items-family.ts'
import { toThemeColor } from '../../paint.ts'
import { fullFormat } from '../../tooltip.ts'
import { funnelOption } from './option.ts'
import { formatStepShare, readFunnelSteps, stepWidth, type FunnelStep } from './steps.ts'

/** Steps below one another, each as wide as its number. */
export default defineItemsFamily<FunnelStep>({
  parts: [FunnelChart],
  read: readFunnelSteps,
  option: funnelOption,
  isEmpty: ({ items }) => items.every((step) => stepWidth(step) === 0),
  /**
   * Shows number and percentage as configured. The name is always included, because a number alone is meaningless to screen
   * reader users.
   */
  tip({ items, color }, index, { rows = [] }, around) {
    const step = items[index]
    const says = (part: 'value' | 'share') => step?.tooltipParts.includes(part) ?? false
    const number = step?.value ?? null
    return {
      title: '',
      rows: [
        {
          name: step?.name ?? '',
          color: toThemeColor(step?.color ?? color, around.theme),
          value: says('value') ? formatter(fullFormat(rows[0]?.format), around.locale)(number) : '',
          share: says('share') ? formatStepShare(step, around) : null,
          number,
          isHovered: true,
        },
      ],
      more: 0,
      total: null,
    }
  },
})
