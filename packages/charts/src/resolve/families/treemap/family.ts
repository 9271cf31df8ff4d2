import { TreemapChart } from 'echarts/charts'
import { ofItems } from '../../items/of-items.ts'
import { levels } from '../../levels/levels.ts'
import type { Part } from '../../levels/marks.ts'
import { treemapOption } from './option.ts'

/** Parts within parts, by area. */
export default ofItems<Part>({ ...levels, parts: [TreemapChart], option: treemapOption })
