import type { ChartForm } from '../../define.ts'
import { analogousColor, analogousRounds } from './analogous.ts'
import { isColor } from './color.ts'
import { schemeOf } from './schemes.ts'

/** The labels of one chart -> the color of each, as stored in documents (the light value). */
export type ColorScale = (labels: readonly string[]) => (label: string) => string

/** Colors of a dashboard, by their names in its metadata: colors set by users take precedence over those stored by a client. */
export interface DashboardColors {
  color_scheme?: unknown
  label_colors?: unknown
  shared_label_colors?: unknown
  map_label_colors?: unknown
}

/** Slots of the labels that a dashboard has shown, by scheme; the scales add theirs. Plain JSON. */
export type LabelSlots = Record<string, Record<string, number>>

export interface ColorScaleOptions {
  /** Slots of the labels shown before. These labels keep their slots, whichever labels a filter leaves. */
  shown?: LabelSlots | undefined
  /** Labels beyond the colors of the scheme get analogous colors (flag `USE_ANALAGOUS_COLORS`); otherwise colors are repeated. */
  isAnalogous?: boolean | undefined
}

/**
 * Assigns colors by the labels alone: a label has the slot given by its own text, regardless of previous charts and the order of
 * labels. When two labels share a slot, the second one, in an order also derived from their texts, uses the next free slot, so
 * that a chart repeats no color before its scheme is exhausted.
 * @param pinned colors of labels by name, which take precedence over the scheme
 * @see docs/decisions/0053-a-label-keeps-its-colour.md
 */
export function colorScale(
  scheme: string | null | undefined,
  pinned: Record<string, string> = {},
  { shown, isAnalogous = false }: ColorScaleOptions = {},
): ColorScale {
  const { id, colors: all } = schemeOf(scheme)
  const colors = [...new Set(all)]
  const count = colors.length
  const rounds = isAnalogous ? analogousRounds : 1
  const pinOf = (label: string) => (Object.hasOwn(pinned, label) ? pinned[label] : undefined) || undefined
  return (labels) => {
    const known = new Map(Object.entries(shown?.[id] ?? {}))
    const free = [...new Set(labels)].filter((label) => !pinOf(label))
    const pins = labels.flatMap((label) => pinOf(label)?.toLowerCase() ?? [])
    const uses = Array.from({ length: count * rounds }, (_, slot) => pins.filter((pin) => pin === colors[slot]).length)
    const slots = new Map<string, number>()
    for (const label of free) {
      const slot = known.get(label)
      // Two labels that other charts show in one color get different ones here.
      if (slot === undefined || uses[slot] !== 0) continue
      slots.set(label, slot)
      uses[slot] += 1
    }
    const rest = free.filter((label) => !slots.has(label))
    for (const [label, slot] of assignSlots(rest, uses, count)) slots.set(label, slot)
    if (free.length > uses.length) separateNeighbors(free, slots, new Set(rest))
    if (shown && rest.some((label) => !known.has(label))) shown[id] = Object.fromEntries([...slots, ...known])
    return (label) => {
      const slot = slots.get(label) ?? 0
      return pinOf(label) ?? analogousColor(colors[slot % count] as string, Math.floor(slot / count))
    }
  }
}

/**
 * Returns the scale of a form: its dashboard's scheme and colors, else its own scheme. Label colors of the form itself are stale
 * copies.
 */
export function resolveColorScale(
  form: ChartForm,
  dashboard: DashboardColors = {},
  options: ColorScaleOptions = {},
): ColorScale {
  const { color_scheme, label_colors, shared_label_colors, map_label_colors } = dashboard
  const scheme = [color_scheme, form.color_scheme].find((each) => typeof each === 'string' && each !== '')
  const pinned = Object.assign({}, ...[map_label_colors, shared_label_colors, label_colors].map(readColors)) as object
  return colorScale(scheme as string | undefined, pinned as Record<string, string>, options)
}

const readColors = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, color]) => typeof color === 'string' && isColor(color)))
    : {}

/**
 * @param uses  number of uses of each slot, incremented in place
 * @param count  number of colors of the scheme; slots beyond it are used once all before them are
 */
function assignSlots(labels: readonly string[], uses: number[], count: number): Map<string, number> {
  const slots = new Map<string, number>()
  const take = (label: string, slot: number) => {
    slots.set(label, slot)
    uses[slot] = (uses[slot] ?? 0) + 1
  }
  const ordered = [...new Set(labels)]
    .map((label) => ({ label, hash: hashLabel(label) }))
    .toSorted((a, b) => a.hash - b.hash || (a.label < b.label ? -1 : 1))
  for (const { label, hash } of ordered) if (uses[hash % count] === 0) take(label, hash % count)
  for (const { label, hash } of ordered) {
    if (slots.has(label)) continue
    const least = Math.min(...uses)
    const first = Math.floor(uses.indexOf(least) / count) * count
    let step = hash % count
    while (uses[first + step] !== least) step = (step + 1) % count
    take(label, first + step)
  }
  return slots
}

/**
 * Exchanges the slots of labels that follow each other in one color, which is possible only if there are more labels than colors.
 * @param order   labels as they are drawn; the last one is next to the first one in a circle
 * @param movable labels whose slots may change
 */
function separateNeighbors(order: readonly string[], slots: Map<string, number>, movable: ReadonlySet<string>): void {
  const count = order.length
  const slotAt = (index: number) => slots.get(order[(index + count) % count] as string)
  const isFine = (index: number) => slotAt(index) !== slotAt(index - 1) && slotAt(index) !== slotAt(index + 1)
  const exchange = (one: string, other: string) => {
    const [first, second] = [slots.get(one) as number, slots.get(other) as number]
    slots.set(one, second).set(other, first)
  }
  for (const [at, label] of order.entries()) {
    if (isFine(at) || !movable.has(label)) continue
    for (let step = 2; step < Math.min(count, farthest); step++) {
      const other = order[(at + step) % count] as string
      if (!movable.has(other)) continue
      exchange(label, other)
      if (isFine(at) && isFine(at + step)) break
      exchange(label, other)
    }
  }
}

/** Colors of labels that are farther apart are not exchanged, so that very many labels take no time. */
const farthest = 60

/** Chosen so that the labels of each example chart have distinct slots, and the sun is amber. */
const seed = 1_522_097

/** FNV-1a with a final mix, so that labels that differ in their last character differ in all bits. */
export function hashLabel(label: string): number {
  let hash = seed
  for (let index = 0; index < label.length; index++) hash = Math.imul(hash ^ label.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
