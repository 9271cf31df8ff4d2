import { CustomChart } from 'echarts/charts'
import { defineItemsFamily, readItems } from '../../items/items-family.ts'
import { wordsOption } from './option.ts'

/** Words sized by their numbers; words without a number are omitted. */
export default defineItemsFamily({
  parts: [CustomChart],
  read(series) {
    const { items, ...marks } = readItems(series)
    return { ...marks, items: items.filter(({ value }) => value !== null) }
  },
  option: wordsOption,
  isEmpty: ({ items }) => items.length === 0,
  /** The words are their own labels. */
  legend: () => [],
})
