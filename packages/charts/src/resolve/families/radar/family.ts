import { RadarChart } from 'echarts/charts'
import { RadarComponent } from 'echarts/components'
import { defineItemsFamily } from '../../items/items-family.ts'
import type { ShapeItem } from '../../shapes/marks.ts'
import { shapeDefaults } from '../../shapes/shape-defaults.ts'
import { radarComponent, radarOption } from './option.ts'

/** Shapes across several axes around one center. */
export default defineItemsFamily<ShapeItem>({
  ...shapeDefaults,
  parts: [RadarChart, RadarComponent],
  option: radarOption,
  components: radarComponent,
})
