import type { Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import { truncateText, svgSpan, svgText } from '../shared/svg-text.ts'
import type { PeriodComparisonSpec } from './chart.ts'
import { arrowSize, captionSize, gaps, layoutPeriodComparison, type FigureText } from './layout.ts'

const left = 16

/** Draws a number and its comparison as the content of an SVG. */
export default function drawCompared(given: Spec, _: Record<string, Frame>, around: RenderContext) {
  const { theme, width, height } = around
  const layout = layoutPeriodComparison(given as PeriodComparisonSpec, around)
  const { numberSize, partSize, arrow } = layout
  const inkOf = ({ tone }: FigureText) => (tone === 'same' ? theme.text2 : theme[tone])
  const sizes = [numberSize, ...layout.lines.map(() => partSize), ...(layout.caption ? [captionSize] : [])]
  let y = Math.max(8, (height - sizes.reduce((sum, size) => sum + size + gaps.lines, -gaps.lines)) / 2)
  const texts: string[] = []
  const line = (size: number, draw: (baseline: number) => string): void => {
    y += size * 0.88
    texts.push(draw(y))
    y += size * 0.12 + gaps.lines
  }
  line(numberSize, (index) => {
    const value = truncateText(layout.value, numberSize, width - 24)
    const beside = arrow.text ? [svgSpan(arrow.text, gaps.arrow, inkOf(arrow), numberSize * arrowSize)] : []
    return svgText(left, index, value, { size: numberSize, fill: theme.text, weight: 600 }, beside)
  })
  for (const [first, ...others] of layout.lines)
    line(partSize, (index) =>
      svgText(
        left,
        index,
        truncateText(first?.text ?? '', partSize, width - 24),
        { size: partSize, fill: first ? inkOf(first) : theme.text2, weight: 500 },
        others.map((part) => svgSpan(part.text, gaps.parts, inkOf(part), partSize)),
      ),
    )
  if (layout.caption)
    line(captionSize, (index) =>
      svgText(left, index, truncateText(layout.caption, captionSize, width - 24), {
        size: captionSize,
        fill: theme.text3,
      }),
    )
  return { body: texts.join(''), describe: layout.describe }
}
