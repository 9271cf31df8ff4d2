import { truncateText } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'

export interface Word {
  text: string
  size: number
  /** Degrees, counterclockwise. */
  turn: number
}

/** A word with the position of its center. */
export interface PlacedWord extends Word {
  x: number
  y: number
}

export interface PixelSize {
  width: number
  height: number
}

/** Font weight of the words. */
export const wordWeight = 600
/** Width of this weight relative to the text that `textWidth` measures. */
const boldness = 1.06
const lineHeight = 1.1
/** Gap between words, in pixels. */
const gap = 2
/** Side length in pixels of the cells that track which area is covered. */
const cell = 3

/** Area of a word before rotation. */
const flatSize = ({ text, size }: Word): PixelSize => ({
  width: textWidth(text, size) * boldness + 2 * gap,
  height: size * lineHeight + gap,
})

const sides = ({ turn }: Word): { sin: number; cos: number } => {
  const angle = (turn * Math.PI) / 180
  return { sin: Math.sin(angle), cos: Math.cos(angle) }
}

/** Bounding box of a word after rotation. */
export function measureWord(word: Word): PixelSize {
  const { width, height } = flatSize(word)
  const { sin, cos } = sides(word)
  return {
    width: width * Math.abs(cos) + height * Math.abs(sin),
    height: width * Math.abs(sin) + height * Math.abs(cos),
  }
}

const isWithin = (inner: PixelSize, outer: PixelSize): boolean =>
  inner.width <= outer.width && inner.height <= outer.height

/** Resets the rotation of a word that is too long for it. */
export const layFlatIfTooLong = (word: Word, box: PixelSize): Word =>
  isWithin(measureWord(word), box) ? word : { ...word, turn: 0 }

/** True if the word fits alone. */
export const hasRoom = (word: Word, box: PixelSize): boolean => isWithin(measureWord(word), box)

/** Truncates a word to the width of the box. */
export const truncateWord = (word: Word, { width }: PixelSize): Word => ({
  ...word,
  text: truncateText(word.text, word.size * boldness, width - 2 * gap),
})

type Cells = readonly (readonly [row: number, from: number, to: number])[]

/** Cells of a word relative to its center. */
function rasterizeWord(word: Word): Cells {
  const { width, height } = flatSize(word)
  const { sin, cos } = sides(word)
  const last = Math.ceil(measureWord(word).height / 2 / cell)
  return Array.from({ length: 2 * last + 1 }, (_, index) => index - last).flatMap((row) => {
    const y = row * cell
    const along = between(cos, y * sin, width / 2)
    const across = between(sin, -y * cos, height / 2)
    const [from, to] = [Math.max(along[0], across[0]), Math.min(along[1], across[1])]
    return from <= to ? [[row, Math.floor(from / cell), Math.ceil(to / cell)] as const] : []
  })
}

/** Interval in which |slope x - offset| is at most `half`. */
function between(slope: number, offset: number, half: number): [number, number] {
  if (Math.abs(slope) < 1e-9) return Math.abs(offset) <= half ? [-Infinity, Infinity] : [1, -1]
  const [one, other] = [(offset - half) / slope, (offset + half) / slope]
  return [Math.min(one, other), Math.max(one, other)]
}

/**
 * Places words without overlap, the first one in the center, each at the first free position of a spiral around it. The layout is
 * deterministic.
 * @param words the largest first
 * @param isWhole stops at the first word that does not fit
 * @returns one per word; null for those that do not fit
 * @see J. Feinberg, “Wordle”, in: Beautiful Visualization, O'Reilly 2010, chapter 3
 */
export function placeWords(words: readonly Word[], box: PixelSize, isWhole = false): (PlacedWord | null)[] {
  const grid = { columns: Math.floor(box.width / cell), rows: Math.floor(box.height / cell) }
  const taken = new Uint8Array(Math.max(0, grid.columns * grid.rows))
  const path = spiral(grid)
  /** First path index at which a word of this rotation and size, or a larger one, may fit: free cells only become fewer. */
  const tried: (PixelSize & { turn: number; from: number })[] = []
  let isOver = false
  return words.map((word) => {
    if (isOver) return null
    const size = toCells(measureWord(word))
    let at = 0
    for (const each of tried) if (each.from > at && each.turn === word.turn && isWithin(each, size)) at = each.from
    const cells = rasterizeWord(word)
    while (at < path.length && !isFree(taken, grid, cells, path[at] as [number, number])) at += 1
    tried.push({ ...size, turn: word.turn, from: at + 1 })
    const place = path[at]
    if (!place) {
      isOver = isWhole
      return null
    }
    const [x, y] = place
    for (const [row, from, to] of cells) {
      const start = (y + row) * grid.columns + x
      taken.fill(1, start + from, start + to + 1)
    }
    return { ...word, x: (x + 0.5) * cell, y: (y + 0.5) * cell }
  })
}

const toCells = ({ width, height }: PixelSize): PixelSize => ({
  width: Math.ceil(width / cell),
  height: Math.ceil(height / cell),
})

interface Grid {
  columns: number
  rows: number
}

function isFree(taken: Uint8Array, { columns, rows }: Grid, cells: Cells, [x, y]: readonly [number, number]): boolean {
  for (const [row, from, to] of cells) {
    if (y + row < 0 || y + row >= rows || x + from < 0 || x + to >= columns) return false
    const start = (y + row) * columns + x
    for (let index = start + from; index <= start + to; index++) if (taken[index]) return false
  }
  return true
}

/** Cells from the center outwards, along an ellipse with the aspect ratio of the grid. */
function spiral({ columns, rows }: Grid): [number, number][] {
  const path: [number, number][] = []
  const aspect = columns / (rows || 1)
  const most = Math.SQRT1_2 * rows
  for (let turn = 0, radius = 0; radius <= most; turn += 1 / (1 + 0.7 * radius * Math.max(1, aspect))) {
    radius = turn / 4
    const x = Math.round(columns / 2 + radius * aspect * Math.cos(turn))
    const y = Math.round(rows / 2 + radius * Math.sin(turn))
    if (x >= 0 && x < columns && y >= 0 && y < rows) path.push([x, y])
  }
  return path
}
