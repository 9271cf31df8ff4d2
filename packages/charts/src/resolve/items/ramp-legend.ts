import { rampColor } from '../../shared/colors/ramps.ts'
import { textWidth } from '../../shared/text-width.ts'
import type { RenderContext } from '../render-context.ts'
import { textShape, type GraphicElement } from './custom-series.ts'

const size = 11
const swatch = 12
/** Where a ramp begins: its first colour could not be told from the ground. */
const palest = 0.15

/** The colour of a place between the lowest and the highest number, 0 to 1. */
export const shade = (ramp: string, part: number, theme: 'light' | 'dark'): string =>
  rampColor(ramp, palest + (1 - palest) * part, theme)

/** The colours between two numbers, in a line. */
export function rampLegend(
  { low, high, colors }: { low: string; high: string; colors: readonly string[] },
  { x, y, width }: { x: number; y: number; width: number },
  { theme }: RenderContext,
): GraphicElement[] {
  const side = Math.max(1, Math.min(swatch, (width - textWidth(low + high, size) - 16) / colors.length))
  const label = (at: number, said: string) =>
    textShape(at, y + swatch / 2, said, { size, fill: theme.tick, font: theme.font })
  const start = x + textWidth(low, size) + 8
  return [
    label(x, low),
    ...colors.map((fill, at) => ({
      type: 'rect',
      silent: true,
      shape: { x: start + at * side, y, width: side - Math.min(1, side / 4), height: swatch },
      style: { fill },
    })),
    label(start + colors.length * side + 8, high),
  ]
}
