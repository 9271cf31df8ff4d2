import type { Cell } from '@parquetry/frame'
import type { StandaloneFamily, SpecItem, SpecSeries } from '../families/family.ts'
import type { Move } from '../layer.ts'
import { othersColor } from '../paint.ts'
import { describeItems } from './describe.ts'
import { buildItemTooltip } from './tooltip.ts'

/** Marks that are a list: slices, steps of a funnel, words. */
export interface Items<I extends SpecItem = SpecItem> {
  /** Name of the series: its measure. */
  name: string
  color: string
  items: I[]
}

type ItemsFamilyOptions<I extends SpecItem> = Pick<StandaloneFamily<Items<I>>, 'parts' | 'option'> &
  Partial<StandaloneFamily<Items<I>>>

/**
 * Defines a standalone series type whose marks are a list: read in the order of the spec, one legend entry and one keyboard stop
 * each, with the share of the total in the tooltip. A family can override every part.
 */
export const defineItemsFamily = <I extends SpecItem = SpecItem>(
  own: ItemsFamilyOptions<I>,
): StandaloneFamily<Items<I>> => ({
  on: 'own',
  read: readItems<I>,
  size: ({ items }) => items.length,
  isEmpty: ({ items }) => items.every(({ value }) => value === null),
  legend: ({ items, color }) => items.map((item) => ({ name: item.name, color: item.color ?? color })),
  without: ({ items, ...marks }, hidden) => ({ ...marks, items: items.filter(({ name }) => !hidden.has(name)) }),
  tip: buildItemTooltip,
  facts: ({ name, items }, index) => {
    const item = items[index]
    const key: Record<string, Cell> = item?.key ?? {}
    return item && Object.keys(key).length > 0 ? { key, values: { [name]: item.value }, name: item.name } : null
  },
  navigate: ({ items }, index, move) => navigateList(items.length, index, move),
  describe: describeItems,
  ...own,
})

export const readItems = <I extends SpecItem>({ name = '', color = othersColor, data = [] }: SpecSeries): Items<I> => ({
  name,
  color,
  items: data as I[],
})

/** Returns the index after a move along a list; it stops at both ends. */
export function navigateList(length: number, index: number | null, move: Move): number | null {
  if (length === 0) return null
  if (move === 'last' || (index === null && move === 'previous')) return length - 1
  if (move === 'first' || index === null) return 0
  if (move === 'next') return Math.min(length - 1, index + 1)
  return move === 'previous' ? Math.max(0, index - 1) : null
}
