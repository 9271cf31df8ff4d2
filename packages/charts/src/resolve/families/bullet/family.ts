import { CustomChart } from 'echarts/charts'
import { formatter, shorten } from '../../../shared/formats/format.ts'
import { defineItemsFamily } from '../../items/items-family.ts'
import { toThemeColor } from '../../paint.ts'
import { fullFormat } from '../../tooltip.ts'
import type { BulletItem } from './layout.ts'
import { bulletOption } from './option.ts'

/** One number as a bar, in front of ranges and between markers. */
export default defineItemsFamily<BulletItem>({
  parts: [CustomChart],
  option: bulletOption,
  isEmpty: ({ items }) => items.every(({ role, value }) => role !== 'measure' || value === null),
  /** Names are drawn beside the items they label. */
  legend: () => [],
  /** Shows all numbers, because one is only meaningful beside the others. */
  tip({ items, color }, index, { rows: [row] = [] }, { theme, locale }) {
    const write = formatter(fullFormat(row?.format), locale)
    const rows = items.map(({ name, value, role }, i) => ({
      name,
      color: role === 'measure' ? toThemeColor(color, theme) : role === 'range' ? theme.axis : theme.text,
      value: write(value),
      share: null,
      number: value,
      isHovered: i === index,
    }))
    return { title: '', rows, more: 0, total: null }
  },
  describe({ items }, { kind, tooltip }, { translate, locale }) {
    const [measure, ...others] = items
    if (!measure || measure.value === null) return translate('picture.describe.empty', '{kind} with no data.', { kind })
    const write = formatter(fullFormat(tooltip.rows?.[0]?.format), locale)
    const values = { kind, name: measure.name, value: write(measure.value) }
    if (others.length === 0) return translate('picture.describe.bullet.one', '{kind}. {name}: {value}.', values)
    return translate('picture.describe.bullet', '{kind}. {name}: {value}, compared with {others}.', {
      ...values,
      others: others.map(({ name, value }) => `${shorten(name)} ${write(value)}`).join(', '),
    })
  },
})
