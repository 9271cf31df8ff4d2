import type { Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import { truncateText, round, svgText } from './svg-text.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import { toThemeColor } from '../resolve/paint.ts'
import { layoutBigNumber, lineGap, periodSize, tintColor, trendPaths } from './big-number-layout.ts'
import type { BigNumberSpec } from './big-number.ts'

/** Draws a big number as the content of an SVG. */
export default function drawBigNumber(given: Spec, frames: Record<string, Frame>, around: RenderContext) {
  const spec = given as BigNumberSpec
  const { theme, width, height } = around
  const layout = layoutBigNumber(spec, around)
  const { numberSize, subSize, trendHeight, change, at } = layout
  const lines = [
    { text: layout.value, size: numberSize, fill: spec.tint ? tintColor(spec.tint, theme) : theme.text, weight: 600 },
    ...(change
      ? [
          {
            text: change.text,
            size: subSize,
            fill: change.tone === 'same' ? theme.text2 : theme[change.tone],
            weight: 500,
          },
        ]
      : []),
    ...(layout.subheader ? [{ text: layout.subheader, size: subSize, fill: theme.text2, weight: 400 }] : []),
    ...(at ? [{ text: at, size: periodSize, fill: theme.text3, weight: 400 }] : []),
  ]
  const block = lines.reduce((sum, { size }) => sum + size + lineGap, -lineGap)
  let y = Math.max(lineGap, (height - trendHeight - block) / 2)
  const texts = lines.map(({ text, size, fill, weight }) => {
    y += size * 0.88
    const line = svgText(16, y, truncateText(text, size, width - 24), { size, fill, weight })
    y += size * 0.12 + lineGap
    return line
  })
  const trend = trendPaths(spec, frames, { width, height: trendHeight })
  const color = toThemeColor(spec.trend?.color ?? theme.accent, theme)
  const paths = trend
    ? `<g transform="translate(0 ${round(height - trendHeight)})"><path d="${trend.area}" fill="${color}" fill-opacity="0.2"/><path d="${trend.line}" fill="none" stroke="${color}" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"/>${trend.way && `<path d="${trend.way}" fill="none" stroke="${color}" stroke-width="2" stroke-dasharray="4 4"/>`}</g>`
    : ''
  return { body: paths + texts.join(''), describe: layout.describe }
}
