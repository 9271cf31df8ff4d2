import type { Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import type { Surroundings } from '../resolve/surroundings.ts'
import { fitted, spanOf, textAt } from '../shared/svg-text.ts'
import type { ComparedSpec } from './chart.ts'
import { arrowSize, captionSize, gaps, layoutCompared, type Part } from './layout.ts'

const left = 16

/** A number and what it is compared with as the inside of an SVG. */
export default function drawCompared(given: Spec, _: Record<string, Frame>, around: Surroundings) {
  const { theme, width, height } = around
  const layout = layoutCompared(given as ComparedSpec, around)
  const { numberSize, partSize, arrow } = layout
  const inkOf = ({ tone }: Part) => (tone === 'same' ? theme.text2 : theme[tone])
  const sizes = [numberSize, ...layout.lines.map(() => partSize), ...(layout.caption ? [captionSize] : [])]
  let y = Math.max(8, (height - sizes.reduce((sum, size) => sum + size + gaps.lines, -gaps.lines)) / 2)
  const texts: string[] = []
  const line = (size: number, draw: (baseline: number) => string): void => {
    y += size * 0.88
    texts.push(draw(y))
    y += size * 0.12 + gaps.lines
  }
  line(numberSize, (at) => {
    const value = fitted(layout.value, numberSize, width - 24)
    const beside = arrow.text ? [spanOf(arrow.text, gaps.arrow, inkOf(arrow), numberSize * arrowSize)] : []
    return textAt(left, at, value, { size: numberSize, fill: theme.text, weight: 600 }, beside)
  })
  for (const [first, ...others] of layout.lines)
    line(partSize, (at) =>
      textAt(
        left,
        at,
        fitted(first?.text ?? '', partSize, width - 24),
        { size: partSize, fill: first ? inkOf(first) : theme.text2, weight: 500 },
        others.map((part) => spanOf(part.text, gaps.parts, inkOf(part), partSize)),
      ),
    )
  if (layout.caption)
    line(captionSize, (at) =>
      textAt(left, at, fitted(layout.caption, captionSize, width - 24), { size: captionSize, fill: theme.text3 }),
    )
  return { body: texts.join(''), describe: layout.describe }
}
