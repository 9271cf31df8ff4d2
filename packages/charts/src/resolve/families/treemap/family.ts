import { TreemapChart } from 'echarts/charts'
import { defineItemsFamily } from '../../items/items-family.ts'
import { hierarchyDefaults } from '../../levels/hierarchy-defaults.ts'
import type { HierarchyItem } from '../../levels/marks.ts'
import { treemapOption } from './option.ts'

/** Nested parts by area. */
export default defineItemsFamily<HierarchyItem>({ ...hierarchyDefaults, parts: [TreemapChart], option: treemapOption })
