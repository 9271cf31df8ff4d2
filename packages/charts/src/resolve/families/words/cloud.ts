import { hashLabel } from '../../../shared/colors/scale.ts'
import type { SpecItem } from '../family.ts'
import {
  truncateWord,
  hasRoom,
  layFlatIfTooLong,
  placeWords,
  measureWord,
  type PixelSize,
  type PlacedWord,
  type Word,
} from './layout.ts'

export interface CloudOptions {
  rotation: 'square' | 'flat' | 'random'
  /** Sizes of the words, for zero and for the largest number. */
  sizes: readonly [from: number, to: number]
}

/** Where not all words have room, all are smaller; the smallest no smaller than this, unless the author wants it so. */
const smallest = 9
const scales = [1, 0.85, 0.72, 0.61, 0.52, 0.44, 0.37, 0.31, 0.26]
/** No cloud is fuller. */
const fullest = 0.9
/** No picture shows more of a word; measuring the rest of a very long one would take its time. */
const longest = 200

/** Of each item its place; null for those without room. */
export function layOutCloud(
  items: readonly SpecItem[],
  { rotation, sizes: [from, to] }: CloudOptions,
  box: PixelSize,
): (PlacedWord | null)[] {
  const part = createRelativeSize(items)
  const texts = items.map(({ name }) => name.slice(0, longest).replaceAll(/\s+/g, ' '))
  const turns = texts.map((text) => pickRotation(text, rotation))
  const order = [...items.keys()].toSorted((a, b) => part(b) - part(a))
  for (const [turn, scale] of scales.entries()) {
    const isLast = turn === scales.length - 1
    const low = Math.max(Math.min(from, smallest), from * scale)
    const high = Math.max(low, to * scale)
    const words = order.map((at) =>
      layFlatIfTooLong({ text: texts[at] ?? '', turn: turns[at] ?? 0, size: low + part(at) * (high - low) }, box),
    )
    if (
      !isLast &&
      (sumWordAreas(words) > fullest * box.width * box.height || !words.every((word) => hasRoom(word, box)))
    )
      continue
    const placed = placeWords(isLast ? words.map((word) => truncateWord(word, box)) : words, box, !isLast)
    if (isLast || placed.every(Boolean)) {
      const byItem = new Map(order.map((at, i) => [at, placed[i] ?? null]))
      return items.map((_, at) => byItem.get(at) ?? null)
    }
  }
  return []
}

const sumWordAreas = (words: readonly Word[]): number =>
  words.reduce((sum, word) => {
    const { width, height } = measureWord({ ...word, turn: 0 })
    return sum + width * height
  }, 0)

/** How far each number lies from the lowest, or from zero, to the highest: 0 to 1. */
function createRelativeSize(items: readonly SpecItem[]): (at: number) => number {
  const values = items.map(({ value }) => value ?? 0)
  const low = values.reduce((least, value) => Math.min(least, value), 0)
  const high = values.reduce((most, value) => Math.max(most, value), 0)
  // the distance of two large numbers is infinite
  return (at) => (high > low ? (values[at] ?? 0) / (high - low) - low / (high - low) : 0)
}

/** By the text alone, so that a word keeps its turn whatever stands beside it. */
function pickRotation(text: string, rotation: CloudOptions['rotation']): number {
  if (rotation === 'flat') return 0
  return rotation === 'square' ? (hashLabel(text) % 2) * 90 : ((hashLabel(text) % 6) - 3) * 30
}
