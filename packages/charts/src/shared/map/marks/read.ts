import { numberAt, textAt, type Frame } from '@parquetry/frame'
import { findColumn } from '../../column.ts'
import type { WeightedPoints } from '../bins.ts'
import type { Ink, ColorEncoding, LocationSource } from '../layers.ts'
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
function createInkReader(inks: ColorEncoding, frame: Frame): { inks: readonly Ink[]; inkOf: (row: number) => number } {
  if (inks.by === 'one') return { inks: [inks.ink], inkOf: () => 0 }
  const column = findColumn(frame, inks.column)
  if (!column) return { inks: inks.inks, inkOf: () => 0 }
  if (inks.by === 'steps') {
    const { ends } = inks
    return {
      inks: inks.inks,
      inkOf: (row) => {
        const value = numberAt(column, row)
        if (value === null) return -1
        let step = 0
        while (step < inks.inks.length - 1 && value >= (ends[step + 1] ?? Infinity)) step += 1
        return step
      },
    }
  }
  const places = new Map(inks.values.map((value, at) => [value, at]))
  return { inks: inks.inks, inkOf: (row) => places.get(textAt(column, row)) ?? 0 }
}

/** Returns the visible ones of these rows with their colors. */
export function colorRows(inks: ColorEncoding, frame: Frame, rows: Uint32Array, hidden: ReadonlySet<string>) {
  const { inks: all, inkOf } = createInkReader(inks, frame)
  const ink = new Uint16Array(rows.length)
  const kept = new Uint32Array(rows.length)
  let count = 0
  for (let at = 0; at < rows.length; at++) {
    const found = inkOf(rows[at]!)
    if (found < 0 || hidden.has(all[found]?.name ?? '')) continue
    ink[count] = found
    kept[count] = at
    count += 1
  }
  return { inks: all, ink: ink.subarray(0, count), kept: kept.subarray(0, count) }
}

/** Picks the position pairs of these marks. */
export const pickPositions = (positions: Float64Array, kept: Uint32Array): Float64Array => {
  if (2 * kept.length === positions.length) return positions
  const picked = new Float64Array(2 * kept.length)
  for (let at = 0; at < kept.length; at++) {
    picked[2 * at] = positions[2 * kept[at]!]!
    picked[2 * at + 1] = positions[2 * kept[at]! + 1]!
  }
  return picked
}

/** Returns locations with their weights; without a column each has weight 1. Rows without a value are skipped. */
export function readWeightedPoints(
  frame: Frame,
  place: LocationSource,
  weight: string | null,
): WeightedPoints & { rows: Uint32Array; left: number } {
  const { rows, positions } = readLocations(frame, place)
  const column = weight === null ? undefined : findColumn(frame, weight)
  if (!column)
    return { rows, positions, weights: new Float64Array(rows.length).fill(1), left: frame.rows - rows.length }
  const kept: number[] = []
  const weights: number[] = []
  for (let at = 0; at < rows.length; at++) {
    const value = numberAt(column, rows[at]!)
    if (value === null) continue
    kept.push(at)
    weights.push(value)
  }
  const picked = Uint32Array.from(kept)
  return {
    rows: picked.map((at) => rows[at]!),
    positions: pickPositions(positions, picked),
    weights: Float64Array.from(weights),
    left: frame.rows - kept.length,
  }
}

/** Rows of aggregated marks. */
export const noRows = new Uint32Array(0)
