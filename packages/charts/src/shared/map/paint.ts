import { toThemeColor } from '../../resolve/paint.ts'
import type { ChartTheme } from '../../resolve/theme.ts'
import { parseColor } from '../colors/color.ts'
import { rampColor } from '../colors/ramps.ts'
import type { CellsLayer, LayerColor } from './layers.ts'

export type Rgba = [red: number, green: number, blue: number, alpha: number]

/** Returns the color channels of a layer color in this theme; the axis color if the stored color is invalid. */
export function toRgba({ paint, alpha }: LayerColor, theme: ChartTheme): Rgba {
  const color = typeof paint === 'string' ? toThemeColor(paint, theme) : rampColor(paint.scheme, paint.at, theme.name)
  const [red, green, blue] = parseColor(color) ?? parseColor(theme.axis) ?? [128, 128, 128]
  return [red, green, blue, Math.round(255 * Math.max(0, Math.min(1, alpha)))]
}

export const toCssColor = ([red, green, blue, alpha]: Rgba): string =>
  alpha === 255 ? `rgb(${red},${green},${blue})` : `rgba(${red},${green},${blue},${Math.round(alpha / 2.55) / 100})`

/** Colors of the base map; the sea is the sunken background of the theme. */
export const baseMapColors = (theme: ChartTheme) =>
  theme.name === 'light'
    ? { sea: theme.sunken, land: theme.surface, border: '#cfccc8', coast: '#bdb9b4' }
    : { sea: theme.sunken, land: '#212327', border: '#3b3d43', coast: '#4a4c53' }

export const cellSteps = 6
/** Minimum opacity at which cells of a screen grid are visible, even on a dark sea. */
const minAlpha = 0.35
/** @param part value relative to the largest one, 0 to 1 */
export const cellAlpha = (part: number, { color }: CellsLayer): number => {
  const step = Math.min(cellSteps, Math.max(1, Math.ceil(part * cellSteps)))
  return color.alpha * (minAlpha + ((1 - minAlpha) * (step - 1)) / (cellSteps - 1))
}

/** Returns a color of the theme for deck.gl. */
export const toRgb = (color: string): [number, number, number] => parseColor(color) ?? [128, 128, 128]
