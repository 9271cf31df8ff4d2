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
  /** Font sizes for zero and for the largest number. */
  sizes: readonly [from: number, to: number]
}

/** Minimum font size when words shrink to fit, unless the configured size is smaller. */
const minFontSize = 9
const scales = [1, 0.85, 0.72, 0.61, 0.52, 0.44, 0.37, 0.31, 0.26]
/** Maximum share of the area covered. */
const maxCoverage = 0.9
/** Maximum characters of a word: no chart shows more, and measuring very long texts is slow. */
const maxWordLength = 200

/** Returns the position of each item; null for those that do not fit. */
export function layOutCloud(
  items: readonly SpecItem[],
  { rotation, sizes: [from, to] }: CloudOptions,
  box: PixelSize,
): (PlacedWord | null)[] {
  const part = createRelativeSize(items)
  const texts = items.map(({ name }) => name.slice(0, maxWordLength).replaceAll(/\s+/g, ' '))
  const turns = texts.map((text) => pickRotation(text, rotation))
  const order = [...items.keys()].toSorted((a, b) => part(b) - part(a))
  for (const [turn, scale] of scales.entries()) {
    const isLast = turn === scales.length - 1
    const low = Math.max(Math.min(from, minFontSize), from * scale)
    const high = Math.max(low, to * scale)
    const words = order.map((index) =>
      layFlatIfTooLong(
        { text: texts[index] ?? '', turn: turns[index] ?? 0, size: low + part(index) * (high - low) },
        box,
      ),
    )
    if (
      !isLast &&
      (sumWordAreas(words) > maxCoverage * box.width * box.height || !words.every((word) => hasRoom(word, box)))
    )
      continue
    const placed = placeWords(isLast ? words.map((word) => truncateWord(word, box)) : words, box, !isLast)
    if (isLast || placed.every(Boolean)) {
      const byItem = new Map(order.map((index, i) => [index, placed[i] ?? null]))
      return items.map((_, index) => byItem.get(index) ?? null)
    }
  }
  return []
}

const sumWordAreas = (words: readonly Word[]): number =>
  words.reduce((sum, word) => {
    const { width, height } = measureWord({ ...word, turn: 0 })
    return sum + width * height
  }, 0)

/** Position of each number between the lowest, or zero, and the highest: 0 to 1. */
function createRelativeSize(items: readonly SpecItem[]): (index: number) => number {
  const values = items.map(({ value }) => value ?? 0)
  const low = values.reduce((least, value) => Math.min(least, value), 0)
  const high = values.reduce((most, value) => Math.max(most, value), 0)
  // the difference of two large numbers is infinite
  return (index) => (high > low ? (values[index] ?? 0) / (high - low) - low / (high - low) : 0)
}

/** Rotation derived from the text alone, so that a word keeps it regardless of the other words. */
function pickRotation(text: string, rotation: CloudOptions['rotation']): number {
  if (rotation === 'flat') return 0
  return rotation === 'square' ? (hashLabel(text) % 2) * 90 : ((hashLabel(text) % 6) - 3) * 30
}
