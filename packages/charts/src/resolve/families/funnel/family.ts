import { FunnelChart } from 'echarts/charts'
import { formatter } from '../../../shared/formats/format.ts'
import { ofItems } from '../../items/of-items.ts'
import { drawnColor } from '../../paint.ts'
import { fullFormat } from '../../tooltip.ts'
import { funnelOption } from './option.ts'
import { percentOf, readSteps, widthOf, type Step } from './steps.ts'

/** Steps one under the other, each as wide as its number. */
export default ofItems<Step>({
  parts: [FunnelChart],
  read: readSteps,
  option: funnelOption,
  isEmpty: ({ items }) => items.every((step) => widthOf(step) === 0),
  /** What the author chose of number and percentage. The name is always there: a number alone says nothing to the ear. */
  tip({ items, color }, at, { rows = [] }, around) {
    const step = items[at]
    const says = (part: 'value' | 'share') => step?.said.includes(part) ?? false
    const number = step?.value ?? null
    return {
      title: '',
      rows: [
        {
          name: step?.name ?? '',
          color: drawnColor(step?.color ?? color, around.theme),
          value: says('value') ? formatter(fullFormat(rows[0]?.format), around.locale)(number) : '',
          share: says('share') ? percentOf(step, around) : null,
          number,
          isHovered: true,
        },
      ],
      more: 0,
      total: null,
    }
  },
})
