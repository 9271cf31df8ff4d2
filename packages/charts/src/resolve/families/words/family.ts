import { CustomChart } from 'echarts/charts'
import { defineItemsFamily, readItems } from '../../items/items-family.ts'
import { wordsOption } from './option.ts'

/** Words as large as their numbers; a word without a number has no size. */
export default defineItemsFamily({
  parts: [CustomChart],
  read(series) {
    const { items, ...marks } = readItems(series)
    return { ...marks, items: items.filter(({ value }) => value !== null) }
  },
  option: wordsOption,
  isEmpty: ({ items }) => items.length === 0,
  /** The words name themselves. */
  legend: () => [],
})
