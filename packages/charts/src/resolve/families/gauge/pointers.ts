import { readItems, type Items } from '../../items/items-family.ts'
import type { SpecItem, SpecSeries } from '../family.ts'

export interface GaugeRange {
  min: number
  max: number
}

export interface Pointer extends SpecItem {
  /** Limits of its axis. */
  ends: GaugeRange
}

export function readPointers(series: SpecSeries): Items<Pointer> {
  const { items, ...marks } = readItems<Pointer>(series)
  const ends = (series.ends ?? { min: 0, max: 1 }) as GaugeRange
  return { ...marks, items: items.map((item) => ({ ...item, ends })) }
}

/** Position from 0 at the start of the axis to 1 at its end. */
export const toFraction = ({ min, max }: GaugeRange, value: number): number =>
  Math.min(1, Math.max(0, value / (max - min) - min / (max - min)))

export const valueAt = ({ min, max }: GaugeRange, part: number): number =>
  Number((min + part * (max - min)).toPrecision(12))
