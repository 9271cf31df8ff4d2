import '../../shared/safe-widths.ts'
import { GridSimpleComponent } from 'echarts/components'
import { init, setPlatformAPI, use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { platformApi } from 'zrender/lib/core/platform.js'

const { measureText } = platformApi

const px = (font: string | undefined): number => Number.parseFloat(/([\d.]+)px/.exec(font ?? '')?.[1] ?? '12')

/**
 * What no browser need be asked. ECharts takes the width of 国 for the height of a line: where no font has it, that is the width of a
 * box, and lines are lower than elsewhere; it is as wide as it is high, as in a picture without a browser. Of each font it asks for
 * all of ASCII: for a control character, which has no width, browsers go through every font that they have.
 */
setPlatformAPI({
  measureText: (text, font) =>
    text === '国' ? { width: px(font) } : text.length === 1 && text < ' ' ? { width: 0 } : measureText(text, font),
})

use([CanvasRenderer, GridSimpleComponent, LabelLayout])

export { init, use }
export type { EChartsType } from 'echarts/core'
