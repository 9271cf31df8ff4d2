import { contrast, parseColor } from '../shared/colors/color.ts'
import { parquetry } from '../shared/colors/schemes.ts'
import { toLegibleColor } from '../shared/colors/theme-colors.ts'
import type { RenderContext } from './render-context.ts'
import type { ChartTheme } from './theme.ts'

const slotByColor = new Map(parquetry.light.map((stored, slot) => [stored, slot]))

/**
 * Maps a stored color to this theme: Parquetry's own colors have a counterpart in each theme, those of other schemes have one if
 * they are not legible, and all others are unchanged.
 */
export const toThemeColor = (stored: string, { series, name }: ChartTheme): string =>
  series[slotByColor.get(stored.toLowerCase()) ?? -1] ?? toLegibleColor(stored, name)

/** Returns an outline for fills with low contrast to the background. */
export const outline = (color: string, theme: ChartTheme) =>
  contrast(color, theme.surface) < 3 ? { borderColor: theme.tick, borderWidth: 1 } : {}

/** Hollow point for incomplete values. */
export const emptyMark = (color: string, { surface }: ChartTheme) => ({
  color: surface,
  borderColor: color,
  borderWidth: 1.5,
})

/** True if another mark filters, so that this one is faded. */
export const isFaded = (key: Record<string, unknown>, selected: RenderContext['selected']): boolean =>
  Boolean(selected) &&
  !Object.entries(selected ?? {}).every(
    ([name, value]) =>
      !(name in key) || [value].flat().includes(typeof key[name] === 'bigint' ? String(key[name]) : key[name]),
  )

export const fadedOpacity = 0.25

/** Color of marks without a category, the same in both themes. */
export const othersColor = '#93908d'

/** Returns the color if it is valid, so that nothing else gets into HTML. */
export const safeColor = (color: string, theme: ChartTheme): string => (parseColor(color) ? color : theme.axis)
