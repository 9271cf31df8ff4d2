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
  const inks = [
    ...layers.flatMap((layer) => ('inks' in layer && layer.inks.by !== 'one' ? layer.inks.inks : [])),
    ...marks.flatMap((each) => each.inks),
  ]
  const named = new Map(inks.flatMap((ink) => (ink.name === undefined ? [] : [[ink.name, ink] as const])))
  return [...named].map(([name, ink]) => ({ name, color: toCssColor(toRgba({ ...ink, alpha: 1 }, theme)) }))
}
