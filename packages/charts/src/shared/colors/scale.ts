import { schemeOf } from './schemes.ts'

/** Label -> colour as documents store it (the light value). */
export type ColorScale = (label: string) => string

/**
 * Colours of labels that stay: a label keeps the slot it got first for as long as the scale lives, so a filter that takes
 * series away recolours none. One scale for a dashboard makes the same label the same colour in all its charts.
 * @param pinned colours that the chart or dashboard sets for labels by name (`label_colors`): they win over the scheme
 */
export function colorScale(scheme: string | null | undefined, pinned: Record<string, string> = {}): ColorScale {
  const { colors } = schemeOf(scheme)
  const slots = new Map<string, number>()
  return (label) => {
    if (Object.hasOwn(pinned, label) && pinned[label]) return pinned[label]
    const slot = slots.get(label) ?? slots.size
    slots.set(label, slot)
    return colors[slot % colors.length] as string
  }
}
