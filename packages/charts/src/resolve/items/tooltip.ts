import { formatter } from '../../shared/formats/format.ts'
import type { SpecItem } from '../families/family.ts'
import { toThemeColor } from '../paint.ts'
import type { RenderContext } from '../render-context.ts'
import { fullFormat, type SpecTooltip, type TooltipContent } from '../tooltip.ts'
import type { Translate } from '../text.ts'
import type { Items } from './items-family.ts'

/** Size of a mark in the chart. */
export const itemWeight = ({ combinedSize, value }: SpecItem): number => combinedSize ?? value ?? 0

/** Formats its number, or states that the combined numbers are not additive. */
export const formatItemValue = (
  { combinedSize, value }: SpecItem,
  write: (value: number | null) => string,
  say: Translate,
): string => (combinedSize === undefined ? write(value) : say('picture.tip.noSum', 'not additive'))

/** Tooltip of a mark with its number and its share of the total. */
export function buildItemTooltip(
  { items, color }: Items,
  index: number,
  { rows = [] }: SpecTooltip,
  around: RenderContext,
): TooltipContent {
  const [row] = rows
  const item = items[index]
  const number = item?.value ?? null
  const write = formatter(fullFormat(row?.format), around.locale)
  const sum = items.reduce((all, item) => all + itemWeight(item), 0)
  return {
    title: '',
    rows: [
      {
        name: item?.name ?? '',
        color: toThemeColor(item?.color ?? color, around.theme),
        value: item ? formatItemValue(item, write, around.translate) : write(null),
        share: row?.share && sum > 0 && number !== null ? formatter(',.1~%', around.locale)(number / sum) : null,
        number,
        isHovered: true,
      },
    ],
    more: 0,
    total: null,
  }
}
