import type { StandaloneFamily } from '../families/family.ts'
import { describeItems } from '../items/describe.ts'
import type { Items } from '../items/items-family.ts'
import { buildItemTooltip } from '../items/tooltip.ts'
import {
  areaOf,
  leavesOf,
  pathTo,
  readHierarchy,
  navigateHierarchy,
  sumLeafAreas,
  type HierarchyItem,
} from './marks.ts'

/** Shared behavior of families with nested parts; only drawing differs. */
export const hierarchyDefaults = {
  read: readHierarchy,
  isEmpty: ({ items }) => items.every((part) => areaOf(part) === 0),
  /** The parts are labeled. */
  legend: () => [],
  without: <M>(marks: M) => marks,
  /** Shows number and share of the whole, below the names of the enclosing parts. */
  tip(marks, index, tooltip, around) {
    const item = marks.items[index]
    const others = leavesOf(marks.items).filter((leaf) => leaf !== item)
    const whole = sumLeafAreas(marks.items)
    const rest = { name: '', value: whole - (item ? areaOf(item) : 0) }
    const own = buildItemTooltip(
      { ...marks, items: item ? [item, ...(others.length > 0 ? [rest] : [])] : [] },
      0,
      tooltip,
      around,
    )
    return { ...own, title: pathTo(marks.items, index).slice(0, -1).join(' / ') }
  },
  navigate: navigateHierarchy,
  /** Describes the innermost parts, each with the names of its enclosing parts. */
  describe(marks, options, around) {
    const items = marks.items.map((item, index) => ({ ...item, name: pathTo(marks.items, index).join(' / ') }))
    return describeItems({ ...marks, items: leavesOf(items) }, options, around)
  },
  // ECharts numbers the whole as the first part.
  fromTarget: (_, { dataIndex }) => dataIndex - 1,
  toTarget: (_, index) => ({ dataIndex: index + 1 }),
} satisfies Partial<StandaloneFamily<Items<HierarchyItem>>>
