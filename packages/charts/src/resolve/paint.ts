import { contrast, parseColor } from '../shared/colors/color.ts'
import { parquetry } from '../shared/colors/schemes.ts'
import type { RenderContext } from './render-context.ts'
import type { ChartTheme } from './theme.ts'

const slotByColor = new Map(parquetry.light.map((stored, slot) => [stored, slot]))

/** A stored colour as this theme draws it: our own colours have a partner on its ground, the others stay as they are. */
export const toThemeColor = (stored: string, { series }: ChartTheme): string =>
  series[slotByColor.get(stored.toLowerCase()) ?? -1] ?? stored

/** A fill that hardly differs from the ground gets an outline. */
export const outline = (color: string, theme: ChartTheme) =>
  contrast(color, theme.surface) < 3 ? { borderColor: theme.tick, borderWidth: 1 } : {}

/** A point that stands for no whole. */
export const emptyMark = (color: string, { surface }: ChartTheme) => ({
  color: surface,
  borderColor: color,
  borderWidth: 1.5,
})

/** Whether another mark filters: this one steps back. */
export const isFaded = (key: Record<string, unknown>, selected: RenderContext['selected']): boolean =>
  Boolean(selected) &&
  !Object.entries(selected ?? {}).every(([name, value]) => !(name in key) || [value].flat().includes(key[name]))

export const fadedOpacity = 0.25

/** Colour of a mark that stands for no category, the same on both grounds. */
export const othersColor = '#93908d'

/** The colour where it can be read as one, so that nothing else gets into HTML. */
export const safeColor = (color: string, theme: ChartTheme): string => (parseColor(color) ? color : theme.axis)
