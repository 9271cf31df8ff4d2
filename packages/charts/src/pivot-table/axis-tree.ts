import { cellAt, genericOf, isNull, type Cell, type Column } from '@parquetry/frame'

/** The distinct values of a level in ascending order, null last, and the code of each record's value. */
export interface LevelKeys {
  values: readonly Cell[]
  codes: Int32Array
}

/** The groups of one level, in ascending order. Ends are exclusive. */
export interface Level {
  /** Index among the values of the level. */
  code: Int32Array
  /** The parent group in the previous level. */
  parent: Int32Array
  /** The group's children in the next level. */
  children: { from: Int32Array; end: Int32Array }
  /** The group's innermost groups. */
  leaves: { from: Int32Array; end: Int32Array }
}

/** Rows or columns as a tree of levels; without levels there is one leaf for all records. */
export interface AxisTree {
  keys: readonly LevelKeys[]
  levels: readonly Level[]
  leaves: number
  /** The innermost group of each record. */
  leafOf: Int32Array
}

/** Up to this number of pairs of group and value, they are distinguished with a table, above it with a map. */
const maxTablePairs = 2 ** 22

export function buildAxisTree(keys: readonly LevelKeys[], records: number): AxisTree {
  let ids: Int32Array = new Int32Array(records)
  let groups = 1
  const levels: Level[] = []
  for (const { values, codes } of keys) {
    const { order, ids: next } = indexPairs(ids, codes, groups, values.length)
    const level: Level = {
      code: Int32Array.from(order.map((pair) => pair % values.length)),
      parent: Int32Array.from(order.map((pair) => Math.floor(pair / values.length))),
      children: spans(order.length),
      leaves: spans(order.length),
    }
    const outer = levels.at(-1)
    if (outer) outer.children = spansBy(level.parent, groups)
    levels.push(level)
    ids = next
    groups = order.length
  }
  const leaves = keys.length === 0 ? 1 : groups
  for (let index = levels.length - 2; index >= 0; index--) {
    const { children, leaves: own } = levels[index]!
    const inner = levels[index + 1]!.leaves
    for (let group = 0; group < children.from.length; group++) {
      own.from[group] = inner.from[children.from[group]!]!
      own.end[group] = inner.end[children.end[group]! - 1]!
    }
  }
  return { keys, levels, leaves, leafOf: ids }
}

/** Returns consecutive spans of length one. */
const spans = (length: number): Level['children'] => ({
  from: indexRange(length),
  end: indexRange(length).map((at) => at + 1),
})

/** 0, 1, 2 and so on. */
export function indexRange(length: number): Int32Array {
  const places = new Int32Array(length)
  for (let index = 0; index < length; index++) places[index] = index
  return places
}

function spansBy(parent: Int32Array, groups: number): Level['children'] {
  const from = new Int32Array(groups)
  const end = new Int32Array(groups)
  for (let index = parent.length - 1; index >= 0; index--) from[parent[index]!] = index
  for (let index = 0; index < parent.length; index++) end[parent[index]!] = index + 1
  return { from, end }
}

/** Returns the existing pairs of group and value in ascending order, and the index of each record's pair. */
function indexPairs(groupOf: Int32Array, codes: Int32Array, groups: number, size: number) {
  const ids = new Int32Array(codes.length)
  if (groups * size > maxTablePairs) return indexPairsByMap(groupOf, codes, size)
  const places = new Int32Array(groups * size)
  for (let index = 0; index < ids.length; index++) places[groupOf[index]! * size + codes[index]!] = 1
  const order: number[] = []
  for (let pair = 0; pair < places.length; pair++)
    if (places[pair] === 1) {
      places[pair] = order.length
      order.push(pair)
    }
  for (let index = 0; index < ids.length; index++) ids[index] = places[groupOf[index]! * size + codes[index]!]!
  return { order, ids }
}

function indexPairsByMap(groupOf: Int32Array, codes: Int32Array, size: number) {
  const pairs = new Float64Array(codes.length)
  for (let index = 0; index < pairs.length; index++) pairs[index] = groupOf[index]! * size + codes[index]!
  const places = new Map<number, number>()
  const order: number[] = []
  for (const pair of pairs.toSorted())
    if (pair !== order.at(-1)) {
      places.set(pair, order.length)
      order.push(pair)
    }
  const ids = new Int32Array(codes.length)
  for (let index = 0; index < ids.length; index++) ids[index] = places.get(pairs[index]!)!
  return { order, ids }
}

/** Returns the distinct values of a column, and the code of each row's value. */
export function encodeKeys(column: Column, rows: number): LevelKeys {
  const values: Cell[] = []
  const codes = new Int32Array(rows)
  const known = new Map<Cell, number>()
  const words = column.kind === 'string' && column.text.as === 'dictionary' ? column.text.codes : null
  const byWord = new Map<number, number>()
  for (let row = 0; row < rows; row++) {
    const word = words && !isNull(column, row) ? words[row]! : null
    const ofWord = word === null ? undefined : byWord.get(word)
    if (ofWord !== undefined) {
      codes[row] = ofWord
      continue
    }
    const value = cellAt(column, row)
    let code = known.get(value)
    if (code === undefined) {
      code = values.length
      known.set(value, code)
      values.push(value)
    }
    codes[row] = code
    if (word !== null) byWord.set(word, code)
  }
  return sortAscending(values, codes, genericOf(column) === 0)
}

function sortAscending(values: readonly Cell[], codes: Int32Array, isNumeric: boolean): LevelKeys {
  const ranks = values.map((value) => (isNumeric && value !== null ? Number(value) : toSortKey(value)))
  const order = values.map((_, code) => code)
  order.sort(
    (one, other) => compareSortKeys(ranks[one]!, ranks[other]!) || compareSortKeys(values[one]!, values[other]!),
  )
  const placeOf = new Int32Array(order.length)
  order.forEach((code, place) => (placeOf[code] = place))
  return { values: order.map((code) => values[code]!), codes: codes.map((code) => placeOf[code]!) }
}

/** Sorts nulls last and numbers before text. */
export function compareSortKeys(one: Cell, other: Cell): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  if (typeof one === 'string' || typeof other === 'string') {
    const sides = Number(typeof one === 'string') - Number(typeof other === 'string')
    if (sides !== 0) return sides
  }
  return one < other ? -1 : one > other ? 1 : 0
}

/**
 * Returns a sort key for natural order: ignores case and accents, and sorts numbers in text by value. A key is cheaper than
 * comparing.
 */
export function toSortKey(value: Cell): Cell {
  if (typeof value !== 'string') return value
  let text = value
  let hasDigits = false
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index)
    if (code > 127) {
      text = value.normalize('NFKD').replaceAll(/\p{M}+/gu, '')
      hasDigits = /\d/.test(text)
      break
    }
    if (code >= 48 && code <= 57) hasDigits = true
  }
  const plain = text.toLowerCase()
  return hasDigits ? plain.split(/(\d+)/).map(padNumber).join('') : plain
}

/** Every second part is a number. */
const padNumber = (part: string, at: number): string =>
  at % 2 === 0 ? part : part.replace(/^0+(?=\d)/, '').padStart(16, '0')
