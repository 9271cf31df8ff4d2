import type { Surroundings } from '../../resolve/surroundings.ts'
import type { MapSpec } from './layers.ts'
import type { Drawable } from './marks/kinds.ts'
import { cssOf, rgbaOf } from './paint.ts'

export interface LegendEntry {
  name: string
  color: string
}

/** Colours with a name, each once; those that the reader has switched off stay. */
export function legendOf(
  { layers }: MapSpec,
  { marks }: Drawable,
  { theme }: Pick<Surroundings, 'theme'>,
): LegendEntry[] {
  const inks = [
    ...layers.flatMap((layer) => ('inks' in layer && layer.inks.by !== 'one' ? layer.inks.inks : [])),
    ...marks.flatMap((each) => each.inks),
  ]
  const named = new Map(inks.flatMap((ink) => (ink.name === undefined ? [] : [[ink.name, ink] as const])))
  return [...named].map(([name, ink]) => ({ name, color: cssOf(rgbaOf({ ...ink, alpha: 1 }, theme)) }))
}
