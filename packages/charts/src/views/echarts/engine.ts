import '../../shared/safe-widths.ts'
import { GridSimpleComponent } from 'echarts/components'
import { init, setPlatformAPI, use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { platformApi } from 'zrender/lib/core/platform.js'

const { measureText } = platformApi

const px = (font: string | undefined): number => Number.parseFloat(/([\d.]+)px/.exec(font ?? '')?.[1] ?? '12')

/**
 * Avoids expensive text measurements. ECharts uses the width of 国 as line height; in fonts without that character this would be
 * the width of a placeholder box, and lines would be lower, so it is set to the font size, as in images without a browser.
 * ECharts also measures all of ASCII in each font; for a control character, which has no width, browsers search all their fonts.
 */
setPlatformAPI({
  measureText: (text, font) =>
    text === '国' ? { width: px(font) } : text.length === 1 && text < ' ' ? { width: 0 } : measureText(text, font),
})

use([CanvasRenderer, GridSimpleComponent, LabelLayout])

export { init, use }
export type { EChartsType } from 'echarts/core'
