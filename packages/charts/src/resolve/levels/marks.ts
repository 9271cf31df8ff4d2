import { itemWeight } from '../items/tooltip.ts'
import type { Items } from '../items/items-family.ts'
import type { Move } from '../layer.ts'
import { othersColor } from '../paint.ts'
import type { SpecItem, SpecSeries } from '../families/family.ts'

/** A part, directly followed by its descendants in depth-first order. */
export interface HierarchyItem extends SpecItem {
  color: string
  /** Index of the parent part. */
  parent: number | null
  isLeaf: boolean
}

/** Reads the parts; those without a color inherit that of their parent. */
export function readHierarchy({ name = '', color = othersColor, data = [] }: SpecSeries): Items<HierarchyItem> {
  const items: HierarchyItem[] = []
  const add = (given: readonly SpecItem[], parent: number | null, around: string) => {
    for (const { children = [], ...item } of given as (SpecItem & { children?: SpecItem[] })[]) {
      const own = item.color ?? around
      const at = items.push({ ...item, color: own, parent, isLeaf: children.length === 0 }) - 1
      add(children, at, own)
    }
  }
  add(data, null, color)
  return { name, color, items }
}

export const leavesOf = (items: readonly HierarchyItem[]): HierarchyItem[] => items.filter(({ isLeaf }) => isLeaf)

/** Returns 0 for negative numbers, which have no area. */
export const areaOf = (part: HierarchyItem): number => Math.max(0, itemWeight(part))

export const sumLeafAreas = (items: readonly HierarchyItem[]): number =>
  leavesOf(items).reduce((sum, leaf) => sum + areaOf(leaf), 0)

/** Names from the outermost part to this one. */
export function pathTo(items: readonly HierarchyItem[], index: number): string[] {
  const item = items[index]
  if (!item) return []
  return [...(item.parent === null ? [] : pathTo(items, item.parent)), item.name]
}

/** Left and right move among the children of one part, down to its first child and up to the parent. */
export function navigateHierarchy({ items }: Items<HierarchyItem>, index: number | null, move: Move): number | null {
  const here = index === null ? undefined : items[index]
  const beside = items.flatMap(({ parent }, i) => (parent === (here?.parent ?? null) ? [i] : []))
  const place = index === null ? -1 : beside.indexOf(index)
  switch (move) {
    case 'first':
      return beside[0] ?? null
    case 'last':
      return beside.at(-1) ?? null
    case 'previous':
      return (here ? beside[place - 1] : beside.at(-1)) ?? null
    case 'next':
      return beside[place + 1] ?? null
    case 'up':
      return here ? here.parent : (beside[0] ?? null)
    case 'down': {
      const child = here ? items.findIndex(({ parent }) => parent === index) : (beside[0] ?? -1)
      return child < 0 ? null : child
    }
  }
}

const rotatedMoves: Record<Move, Move> = {
  next: 'down',
  previous: 'up',
  down: 'next',
  up: 'previous',
  first: 'first',
  last: 'last',
}

/** Keyboard walk for parts in columns: up and down within a column, right into a part and left out of it. */
export const navigateColumns = (marks: Items<HierarchyItem>, index: number | null, move: Move): number | null =>
  navigateHierarchy(marks, index, index === null ? move : rotatedMoves[move])

/** Indexes of the children by parent; null represents the whole. */
export function indexesByParent(items: readonly HierarchyItem[]): Map<number | null, number[]> {
  const places = new Map<number | null, number[]>()
  for (const [at, { parent }] of items.entries()) {
    const beside = places.get(parent)
    if (beside) beside.push(at)
    else places.set(parent, [at])
  }
  return places
}
