import type { Cell } from '@parquetry/frame'
import type { MarkFacts } from '../marks.ts'
import { readItems, type Items } from '../items/items-family.ts'
import type { Move } from '../layer.ts'
import type { SpecItem, SpecSeries } from '../families/family.ts'

export interface ShapeAxis {
  column: string
  name: string
  format: string
  min: number
  max: number
}

export interface ShapeItem extends SpecItem {
  key: Record<string, Cell>
  /** One value per axis. */
  values: (number | null)[]
  /** Axes of its chart. */
  axes: ShapeAxis[]
}

/** Marks are numbered shape by shape: the shape itself, which the pointer hits, then its points, which arrow keys reach. */
export type ShapeMarks = Items<ShapeItem>

export const axesOf = ({ items }: ShapeMarks): ShapeAxis[] => items[0]?.axes ?? []

export function readShapes(series: SpecSeries): ShapeMarks {
  const { items, ...marks } = readItems<ShapeItem>(series)
  const given = (series.axes ?? []) as (Omit<ShapeAxis, 'min' | 'max'> & Partial<ShapeAxis>)[]
  const axes = given.map((axis, index): ShapeAxis => {
    const values = items.flatMap(({ values: all }) => all[index] ?? [])
    const min = axis.min ?? values.reduce((least, value) => Math.min(least, value), 0)
    return { ...axis, min, max: axis.max ?? values.reduce((most, value) => Math.max(most, value), 0) }
  })
  return { ...marks, items: items.map((item) => ({ ...item, value: null, axes })) }
}

/** Position from 0 in the center to 1 at the edge; null without a number. */
export function toAxisFraction({ min, max }: ShapeAxis, value: number | null | undefined): number | null {
  if (value === null || value === undefined) return null
  const part = max > min ? value / (max - min) - min / (max - min) : Number(value >= max)
  return Math.min(1, Math.max(0, part))
}

const stride = (shapes: ShapeMarks) => axesOf(shapes).length + 1

export const countShapeMarks = (shapes: ShapeMarks): number => shapes.items.length * stride(shapes)

/** Mark number of a shape. */
export const indexOfShape = (shapes: ShapeMarks, item: number): number => item * stride(shapes)

/** Splits a mark number into the shape and its axis; null for the shape itself. */
export function locateShapeMark(shapes: ShapeMarks, index: number): { item: number; axis: number | null } {
  const rest = index % stride(shapes)
  return { item: Math.floor(index / stride(shapes)), axis: rest === 0 ? null : rest - 1 }
}

/** Left and right move from axis to axis, up and down from shape to shape. */
export function navigateShapes(shapes: ShapeMarks, index: number | null, move: Move): number | null {
  const last = { item: shapes.items.length - 1, axis: axesOf(shapes).length - 1 }
  if (last.item < 0 || last.axis < 0) return null
  const placed = (item: number, axis: number) =>
    item < 0 || item > last.item ? null : indexOfShape(shapes, item) + 1 + Math.min(last.axis, Math.max(0, axis))
  if (index === null) return move === 'previous' || move === 'last' ? placed(0, last.axis) : placed(0, 0)
  const { item, axis } = locateShapeMark(shapes, index)
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

export function readShapeFacts(shapes: ShapeMarks, index: number): MarkFacts | null {
  const shape = shapes.items[locateShapeMark(shapes, index).item]
  if (!shape || Object.keys(shape.key).length === 0) return null
  const values = Object.fromEntries(axesOf(shapes).map(({ column }, i) => [column, shape.values[i] ?? null]))
  return { key: shape.key, values, name: shape.name }
}
