import { formatter } from '../../shared/formats/format.ts'
import type { SpecItem } from '../families/family.ts'
import { drawnColor } from '../paint.ts'
import type { Surroundings } from '../surroundings.ts'
import { fullFormat, type SpecTooltip, type Tip } from '../tooltip.ts'
import type { Say } from '../words.ts'
import type { Items } from './of-items.ts'

/** What a mark has of the picture. */
export const sizeOf = ({ together, value }: SpecItem): number => together ?? value ?? 0

/** Its number, or that it stands for several whose numbers give it none. */
export const numberSaid = ({ together, value }: SpecItem, write: (value: number | null) => string, say: Say): string =>
  together === undefined ? write(value) : say('picture.tip.noSum', 'not additive')

/** The mark with its number and its share of all. */
export function itemTip({ items, color }: Items, at: number, { rows = [] }: SpecTooltip, around: Surroundings): Tip {
  const [row] = rows
  const item = items[at]
  const number = item?.value ?? null
  const write = formatter(fullFormat(row?.format), around.locale)
  const sum = items.reduce((all, item) => all + sizeOf(item), 0)
  return {
    title: '',
    rows: [
      {
        name: item?.name ?? '',
        color: drawnColor(item?.color ?? color, around.theme),
        value: item ? numberSaid(item, write, around.say) : write(null),
        share: row?.share && sum > 0 && number !== null ? formatter(',.1~%', around.locale)(number / sum) : null,
        number,
        isHovered: true,
      },
    ],
    more: 0,
    total: null,
  }
}
