import type { RenderContext } from '../../resolve/render-context.ts'
import type { MapSpec } from './layers.ts'
import type { Drawable } from './marks/kinds.ts'
import { toCssColor, toRgba } from './paint.ts'

export interface MapLegendEntry {
  name: string
  color: string
}

/** Returns each named color once, including those that the user has hidden. */
export function buildMapLegend(
  { layers }: MapSpec,
  { marks }: Drawable,
  { theme }: Pick<RenderContext, 'theme'>,
): MapLegendEntry[] {
  const colors = [
    ...layers.flatMap((layer) => ('colors' in layer && layer.colors.by !== 'one' ? layer.colors.colors : [])),
    ...marks.flatMap((each) => each.colors),
  ]
  const named = new Map(colors.flatMap((color) => (color.name === undefined ? [] : [[color.name, color] as const])))
  return [...named].map(([name, color]) => ({ name, color: toCssColor(toRgba({ ...color, alpha: 1 }, theme)) }))
}
