import { shade } from '../../items/ramp-legend.ts'
import type { CalendarStyle, CalendarMeasure } from './marks.ts'

export function findExtent({ values }: CalendarMeasure): [low: number, high: number] | null {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values)
    if (value !== null) {
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  return low <= high ? [low, high] : null
}

/** Colors of the steps, from the lowest to the highest. */
export const buildStepColors = ({ ramp, steps }: CalendarStyle, theme: 'light' | 'dark'): string[] =>
  Array.from({ length: steps }, (_, step) => shade(ramp, steps > 1 ? step / (steps - 1) : 1, theme))

/** Equally wide steps between the lowest and the highest number. */
export function createStepColor(measure: CalendarMeasure, colors: readonly string[]): (value: number) => string {
  const [low, high] = findExtent(measure) ?? [0, 0]
  return (value) => {
    // the difference of two large numbers is infinite
    const part = high > low ? value / (high - low) - low / (high - low) : 1
    return colors[Math.min(colors.length - 1, Math.floor(part * colors.length))] ?? ''
  }
}
