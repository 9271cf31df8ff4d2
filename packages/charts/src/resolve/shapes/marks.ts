import type { Cell } from '@parquetry/frame'
import type { MarkFacts } from '../marks.ts'
import { readItems, type Items } from '../items/of-items.ts'
import type { Move } from '../layer.ts'
import type { SpecItem, SpecSeries } from '../families/family.ts'

export interface Axis {
  column: string
  name: string
  format: string
  min: number
  max: number
}

export interface Shape extends SpecItem {
  key: Record<string, Cell>
  /** One per axis. */
  values: (number | null)[]
  /** Those of its picture. */
  axes: Axis[]
}

/** Marks are counted shape by shape: the shape itself, which the pointer meets, then its points, which the arrow keys walk. */
export type Shapes = Items<Shape>

export const axesOf = ({ items }: Shapes): Axis[] => items[0]?.axes ?? []

export function readShapes(series: SpecSeries): Shapes {
  const { items, ...marks } = readItems<Shape>(series)
  const given = (series.axes ?? []) as (Omit<Axis, 'min' | 'max'> & Partial<Axis>)[]
  const axes = given.map((axis, at): Axis => {
    const values = items.flatMap(({ values: all }) => all[at] ?? [])
    const min = axis.min ?? values.reduce((least, value) => Math.min(least, value), 0)
    return { ...axis, min, max: axis.max ?? values.reduce((most, value) => Math.max(most, value), 0) }
  })
  return { ...marks, items: items.map((item) => ({ ...item, value: null, axes })) }
}

/** From 0 in the middle to 1 at the edge; null where there is no number. */
export function reach({ min, max }: Axis, value: number | null | undefined): number | null {
  if (value === null || value === undefined) return null
  const part = max > min ? value / (max - min) - min / (max - min) : Number(value >= max)
  return Math.min(1, Math.max(0, part))
}

const stride = (shapes: Shapes) => axesOf(shapes).length + 1

export const sizeOf = (shapes: Shapes): number => shapes.items.length * stride(shapes)

/** Place of a shape. */
export const placeOf = (shapes: Shapes, item: number): number => item * stride(shapes)

/** The shape at a place, and which of its points; null for the shape itself. */
export function partsAt(shapes: Shapes, at: number): { item: number; axis: number | null } {
  const rest = at % stride(shapes)
  return { item: Math.floor(at / stride(shapes)), axis: rest === 0 ? null : rest - 1 }
}

/** Left and right from axis to axis, up and down from shape to shape. */
export function walkShapes(shapes: Shapes, at: number | null, move: Move): number | null {
  const last = { item: shapes.items.length - 1, axis: axesOf(shapes).length - 1 }
  if (last.item < 0 || last.axis < 0) return null
  const placed = (item: number, axis: number) =>
    item < 0 || item > last.item ? null : placeOf(shapes, item) + 1 + Math.min(last.axis, Math.max(0, axis))
  if (at === null) return move === 'previous' || move === 'last' ? placed(0, last.axis) : placed(0, 0)
  const { item, axis } = partsAt(shapes, at)
  const here = axis ?? -1
  switch (move) {
    case 'next':
      return placed(item, here + 1)
    case 'previous':
      return placed(item, here - 1)
    case 'first':
      return placed(item, 0)
    case 'last':
      return placed(item, last.axis)
    case 'down':
      return placed(item + 1, here)
    case 'up':
      return placed(item - 1, here)
  }
}

export function factsAt(shapes: Shapes, at: number): MarkFacts | null {
  const shape = shapes.items[partsAt(shapes, at).item]
  if (!shape || Object.keys(shape.key).length === 0) return null
  const values = Object.fromEntries(axesOf(shapes).map(({ column }, i) => [column, shape.values[i] ?? null]))
  return { key: shape.key, values, name: shape.name }
}
