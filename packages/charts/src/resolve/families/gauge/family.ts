import { GaugeChart } from 'echarts/charts'
import { formatter } from '../../../shared/formats/format.ts'
import { describeItems } from '../../items/describe.ts'
import { defineItemsFamily } from '../../items/items-family.ts'
import { fullFormat } from '../../tooltip.ts'
import { gaugeOption } from './option.ts'
import { readPointers, type Pointer } from './pointers.ts'

/** Pointers on one circular axis. */
export default defineItemsFamily<Pointer>({
  parts: [GaugeChart],
  read: readPointers,
  option: gaugeOption,
  /** Names and numbers are drawn below the center. */
  legend: () => [],
  /** Describes a single number together with the limits of its axis. */
  describe(marks, options, around) {
    const [item, ...others] = marks.items
    if (!item || item.value === null || others.length > 0) return describeItems(marks, options, around)
    const write = formatter(fullFormat(options.tooltip.rows?.[0]?.format), around.locale)
    return around.translate('picture.describe.gauge', '{kind}. {name}: {value}, between {min} and {max}.', {
      kind: options.kind,
      name: item.name,
      value: write(item.value),
      min: write(item.ends.min),
      max: write(item.ends.max),
    })
  },
})
