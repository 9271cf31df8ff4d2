import { readItems, type Items } from '../../items/items-family.ts'
import { areaOf, type HierarchyItem } from '../../levels/marks.ts'
import type { SpecItem, SpecSeries } from '../family.ts'

export interface PartitionRect extends HierarchyItem {
  /** Id composed of the names from the outermost part to this one. */
  id: string
  level: number
  /** Top and bottom, as shares of the chart's height. */
  from: number
  to: number
  isOthers: boolean
  since?: number | null
  change?: number | null
}

export interface PartitionChange {
  as: 'difference' | 'percent' | 'factor'
  since: string
  until: string
}

export interface Partition extends Items<PartitionRect> {
  format: string
  isRich: boolean
  isLog: boolean
  /** Count of negative numbers. */
  negatives: number
  change?: PartitionChange
  /** No part has an area. */
  isEmpty: boolean
  /** Id of the part that fills the chart. */
  opened: string | null
  /** Names of the parts that enclose it. */
  around: string[]
}

interface SpecPart extends SpecItem {
  size: number
  negatives: number
  isOthers?: boolean
  children?: SpecPart[]
}

/**
 * Reads the parts with their positions; parts without a color inherit that of the part around them, and the outermost ones have
 * none.
 */
export function readPartition(series: SpecSeries): Partition {
  const { name } = readItems(series)
  const items: PartitionRect[] = []
  const roots = (series.data ?? []) as SpecPart[]
  const add = (given: readonly SpecPart[], around: PartitionRect | null, parent: number | null) => {
    const whole = given.reduce((sum, { size }) => sum + size, 0)
    const [start, height] = around ? [around.from, around.to - around.from] : [0, 1]
    let from = start
    for (const { children = [], size, isOthers = false, negatives: _, ...item } of given) {
      const to = whole > 0 ? from + (size / whole) * height : from
      const rectangle: PartitionRect = {
        ...item,
        color: item.color ?? around?.color ?? '',
        parent,
        isLeaf: children.length === 0,
        id: JSON.stringify([around?.id ?? '', item.name]),
        level: around ? around.level + 1 : 0,
        from,
        to,
        isOthers,
      }
      const at = items.push(rectangle) - 1
      add(children, rectangle, at)
      from = to
    }
  }
  add(roots, null, null)
  return {
    name,
    color: series.color ?? '',
    items,
    format: String(series.format ?? 'SMART_NUMBER'),
    isRich: series.isRich !== false,
    isLog: series.isLog === true,
    negatives: roots.reduce((sum, { negatives }) => sum + negatives, 0),
    ...(series.change !== undefined && { change: series.change as PartitionChange }),
    isEmpty: items.every((item) => areaOf(item) === 0),
    opened: null,
    around: [],
  }
}

/** Fills the chart with one of its parts; returns the whole if that part no longer exists. */
export function openPart(marks: Partition, id: string): Partition {
  const { items } = marks
  const first = items.findIndex((item) => item.id === id)
  const root = items[first]
  if (!root || root.to <= root.from) return marks
  const after = items.findIndex(({ level }, index) => index > first && level <= root.level)
  const height = root.to - root.from
  const place = (index: number) => (index - root.from) / height
  const around: string[] = []
  for (let up = root.parent; up !== null; up = items[up]?.parent ?? null) around.unshift(items[up]?.name ?? '')
  return {
    ...marks,
    opened: id,
    around,
    items: items.slice(first, after < 0 ? items.length : after).map((item) => ({
      ...item,
      level: item.level - root.level,
      parent: item === root || item.parent === null ? null : item.parent - first,
      from: place(item.from),
      to: place(item.to),
    })),
  }
}

/** Part that a click opens: the clicked part, or the enclosing one if the part already fills the chart. */
export function findOpenTarget({ items, around, opened: id }: Partition, index: number): string | null | undefined {
  const item = items[index]
  if (!item || item.isOthers || item.to <= item.from) return undefined
  if (item.id !== id) return item.id
  return around.length > 0 ? (JSON.parse(item.id) as [string])[0] : null
}
