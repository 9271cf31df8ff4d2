import { numberAt, textAt, type Frame } from '@parquetry/frame'
import { findColumn } from '../../column.ts'
import type { WeightedPoints } from '../bins.ts'
import type { LayerColor, ColorEncoding, LocationSource } from '../layers.ts'
import { createLocator } from '../location.ts'

/** Returns the rows with a location, and their positions. */
export function readLocations(frame: Frame, place: LocationSource): { rows: Uint32Array; positions: Float64Array } {
  const locate = createLocator(frame, place)
  const rows = new Uint32Array(frame.rows)
  const positions = new Float64Array(2 * frame.rows)
  let count = 0
  for (let row = 0; row < frame.rows; row++) {
    const at = locate(row)
    if (!at) continue
    rows[count] = row
    positions[2 * count] = at[0]
    positions[2 * count + 1] = at[1]
    count += 1
  }
  return { rows: rows.subarray(0, count), positions: positions.subarray(0, 2 * count) }
}

/** Returns the color index of each row; -1 for a row without a value to color by. */
function createColorReader(
  encoding: ColorEncoding,
  frame: Frame,
): { colors: readonly LayerColor[]; colorIndexOf: (row: number) => number } {
  if (encoding.by === 'one') return { colors: [encoding.color], colorIndexOf: () => 0 }
  const column = findColumn(frame, encoding.column)
  if (!column) return { colors: encoding.colors, colorIndexOf: () => 0 }
  if (encoding.by === 'steps') {
    const { bounds } = encoding
    return {
      colors: encoding.colors,
      colorIndexOf: (row) => {
        const value = numberAt(column, row)
        if (value === null) return -1
        let step = 0
        while (step < encoding.colors.length - 1 && value >= (bounds[step + 1] ?? Infinity)) step += 1
        return step
      },
    }
  }
  const places = new Map(encoding.values.map((value, index) => [value, index]))
  return { colors: encoding.colors, colorIndexOf: (row) => places.get(textAt(column, row)) ?? 0 }
}

/** Returns the visible ones of these rows with their colors. */
export function colorRows(encoding: ColorEncoding, frame: Frame, rows: Uint32Array, hidden: ReadonlySet<string>) {
  const { colors: all, colorIndexOf } = createColorReader(encoding, frame)
  const colorIndexes = new Uint16Array(rows.length)
  const visible = new Uint32Array(rows.length)
  let count = 0
  for (let index = 0; index < rows.length; index++) {
    const found = colorIndexOf(rows[index]!)
    if (found < 0 || hidden.has(all[found]?.name ?? '')) continue
    colorIndexes[count] = found
    visible[count] = index
    count += 1
  }
  return { colors: all, colorIndexes: colorIndexes.subarray(0, count), visible: visible.subarray(0, count) }
}

/** Picks the position pairs of these marks. */
export const pickPositions = (positions: Float64Array, indexes: Uint32Array): Float64Array => {
  if (2 * indexes.length === positions.length) return positions
  const picked = new Float64Array(2 * indexes.length)
  for (let index = 0; index < indexes.length; index++) {
    picked[2 * index] = positions[2 * indexes[index]!]!
    picked[2 * index + 1] = positions[2 * indexes[index]! + 1]!
  }
  return picked
}

/** Returns locations with their weights; without a column each has weight 1. Rows without a value are skipped. */
export function readWeightedPoints(
  frame: Frame,
  place: LocationSource,
  weight: string | null,
): WeightedPoints & { rows: Uint32Array; rowsWithoutLocation: number } {
  const { rows, positions } = readLocations(frame, place)
  const column = weight === null ? undefined : findColumn(frame, weight)
  if (!column)
    return {
      rows,
      positions,
      weights: new Float64Array(rows.length).fill(1),
      rowsWithoutLocation: frame.rows - rows.length,
    }
  const indexes: number[] = []
  const weights: number[] = []
  for (let index = 0; index < rows.length; index++) {
    const value = numberAt(column, rows[index]!)
    if (value === null) continue
    indexes.push(index)
    weights.push(value)
  }
  const picked = Uint32Array.from(indexes)
  return {
    rows: picked.map((at) => rows[at]!),
    positions: pickPositions(positions, picked),
    weights: Float64Array.from(weights),
    rowsWithoutLocation: frame.rows - indexes.length,
  }
}

/** Rows of aggregated marks. */
export const noRows = new Uint32Array(0)
