import { ramps, rampColor } from '../../../shared/colors/ramps.ts'
import { shade } from '../../items/ramp-legend.ts'
import { toThemeColor } from '../../paint.ts'
import type { ChartTheme } from '../../theme.ts'
import type { MapRegionItem, RegionMarks } from './marks.ts'

/** Steps of the legend. */
const steps = 9

/** Color at a position between the lowest and the highest number. */
function colorAt(ramp: string, part: number, { name }: ChartTheme): string {
  const isDiverging = Object.hasOwn(ramps, ramp) && ramps[ramp]?.isDiverging
  return isDiverging ? rampColor(ramp, part, name) : shade(ramp, part, name)
}

/** @param isOne all numbers are equal */
export const legendColors = (ramp: string, theme: ChartTheme, isOne: boolean): string[] =>
  isOne
    ? [colorAt(ramp, 0.5, theme)]
    : Array.from({ length: steps }, (_, step) => colorAt(ramp, step / (steps - 1), theme))

/** Fill color; a place without a number has a neutral one. */
export function resolveRegionColor(
  { value, color }: MapRegionItem,
  { ramp, range }: RegionMarks,
  theme: ChartTheme,
): string {
  if (value === null) return theme.sunken
  if (ramp === null) return toThemeColor(color ?? '', theme)
  const [low, high] = range ?? [0, 0]
  // the difference of two large numbers is infinite
  return colorAt(ramp, high > low ? (value / 4 - low / 4) / (high / 4 - low / 4) : 0.5, theme)
}
