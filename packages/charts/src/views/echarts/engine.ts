import '../../shared/safe-widths.ts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'

use([CanvasRenderer, GridComponent, TooltipComponent, LabelLayout])

export { init, use }
export type { EChartsType } from 'echarts/core'
