import '../../shared/safe-widths.ts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { init, setPlatformAPI, use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { platformApi } from 'zrender/lib/core/platform.js'

const { measureText } = platformApi

/**
 * ECharts takes the width of this sign for the height of a line. Where no font has it, that is the width of a box, and lines are
 * lower than elsewhere; it is as wide as it is high, as in a picture without a browser.
 */
setPlatformAPI({
  measureText: (text, font) =>
    text === '国' ? { width: Number.parseFloat(/([\d.]+)px/.exec(font ?? '')?.[1] ?? '12') } : measureText(text, font),
})

use([CanvasRenderer, GridComponent, TooltipComponent, LabelLayout])

export { init, use }
export type { EChartsType } from 'echarts/core'
