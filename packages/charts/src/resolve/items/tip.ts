import { formatter } from '../../shared/formats/format.ts'
import { drawnColor } from '../paint.ts'
import type { Surroundings } from '../surroundings.ts'
import { fullFormat, type SpecTooltip, type Tip } from '../tooltip.ts'
import type { Items } from './of-items.ts'

/** The mark with its number and its share of all. */
export function itemTip({ items, color }: Items, at: number, { rows = [] }: SpecTooltip, around: Surroundings): Tip {
  const [row] = rows
  const item = items[at]
  const number = item?.value ?? null
  const sum = items.reduce((all, { value }) => all + (value ?? 0), 0)
  return {
    title: '',
    rows: [
      {
        name: item?.name ?? '',
        color: drawnColor(item?.color ?? color, around.theme),
        value: formatter(fullFormat(row?.format), around.locale)(number),
        share: row?.share && sum > 0 && number !== null ? formatter(',.1~%', around.locale)(number / sum) : null,
        number,
        isHovered: true,
      },
    ],
    more: 0,
    total: null,
  }
}
