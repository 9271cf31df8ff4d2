import { RadarChart } from 'echarts/charts'
import { RadarComponent } from 'echarts/components'
import { ofItems } from '../../items/of-items.ts'
import type { Shape } from '../../shapes/marks.ts'
import { shapes } from '../../shapes/shapes.ts'
import { radarComponent, radarOption } from './option.ts'

/** Shapes over several axes around one middle. */
export default ofItems<Shape>({
  ...shapes,
  parts: [RadarChart, RadarComponent],
  option: radarOption,
  components: radarComponent,
})
