import { rampColor } from '../../shared/colors/ramps.ts'
import { textWidth } from '../../shared/text-width.ts'
import type { RenderContext } from '../render-context.ts'
import { textShape, type GraphicElement } from './custom-series.ts'

const size = 11
const swatch = 12
/** Start of a ramp: its first colors are indistinguishable from the background. */
const palest = 0.15

/** Color at a position between the lowest and the highest number, 0 to 1. */
export const shade = (ramp: string, part: number, theme: 'light' | 'dark'): string =>
  rampColor(ramp, palest + (1 - palest) * part, theme)

/** Color swatches in a line between two numbers. */
export function rampLegend(
  { low, high, colors }: { low: string; high: string; colors: readonly string[] },
  { x, y, width }: { x: number; y: number; width: number },
  { theme }: RenderContext,
): GraphicElement[] {
  const side = Math.max(1, Math.min(swatch, (width - textWidth(low + high, size) - 16) / colors.length))
  const label = (index: number, text: string) =>
    textShape(index, y + swatch / 2, text, { size, fill: theme.tick, font: theme.font })
  const start = x + textWidth(low, size) + 8
  return [
    label(x, low),
    ...colors.map((fill, index) => ({
      type: 'rect',
      silent: true,
      shape: { x: start + index * side, y, width: side - Math.min(1, side / 4), height: swatch },
      style: { fill },
    })),
    label(start + colors.length * side + 8, high),
  ]
}
