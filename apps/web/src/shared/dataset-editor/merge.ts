import { type ColumnOrMetric, type DatasetDocument, nameOf } from './document.ts'

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Merges two versions of `base`: fields changed here win, all others come from there. */
function mergeFields<T extends object>(base: T | undefined, mine: T, theirs: T): T {
  return Object.fromEntries(
    Object.entries(mine).map(([field, value]) => {
      const key = field as keyof T
      return [field, base === undefined || !isSame(value, base[key]) ? value : theirs[key]]
    }),
  ) as T
}

function mergeColumnsOrMetrics<C extends ColumnOrMetric>(
  base: readonly C[],
  mine: readonly C[],
  theirs: readonly C[],
): C[] {
  const at = (children: readonly C[], key: string) => children.find((child) => child.key === key)
  const merged = theirs.flatMap((child): C[] => {
    const own = at(mine, child.key)
    // In the base but missing here: removed here.
    if (!own) return at(base, child.key) ? [] : [child]
    return [{ ...mergeFields(at(base, child.key), own, child), id: child.id }]
  })
  const added = mine.flatMap((child): C[] => {
    if (at(theirs, child.key)) return []
    const before = at(base, child.key)
    // Removed there: it returns only if it was edited here.
    return before && isSame(before, child) ? [] : [{ ...child, id: null }]
  })
  return [...merged, ...added]
}

/** Rebases my changes onto the version that another user saved: neither side loses what only it changed. */
export const rebaseDocument = (
  base: DatasetDocument,
  mine: DatasetDocument,
  theirs: DatasetDocument,
): DatasetDocument => ({
  ...mergeFields(base, mine, theirs),
  columns: mergeColumnsOrMetrics(base.columns, mine.columns, theirs.columns),
  metrics: mergeColumnsOrMetrics(base.metrics, mine.metrics, theirs.metrics),
  folders: theirs.folders,
})

/** A value that differs between two versions. */
export interface FieldDifference {
  /** Name of the column or metric; null for the dataset. */
  of: string | null
  field: string
  mine: string
  theirs: string
}

const toText = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value as string)

/** Finds the differences between two versions, field by field. */
export function diffDocuments(mine: DatasetDocument, theirs: DatasetDocument): FieldDifference[] {
  const found: FieldDifference[] = []
  const compare = (of: string | null, one: object, other: object | undefined): void => {
    for (const [field, value] of Object.entries(one)) {
      if (['columns', 'metrics', 'folders', 'id', 'key', 'type_generic'].includes(field)) continue
      const there = other?.[field as keyof typeof other]
      if (!isSame(value, there)) found.push({ of, field, mine: toText(value), theirs: toText(there) })
    }
  }
  compare(null, mine, theirs)
  for (const kind of ['columns', 'metrics'] as const) {
    const there: readonly ColumnOrMetric[] = theirs[kind]
    for (const child of mine[kind] as readonly ColumnOrMetric[]) {
      const other = there.find(({ key }) => key === child.key)
      if (other) compare(nameOf(child), child, other)
      else found.push({ of: nameOf(child), field: kind, mine: nameOf(child), theirs: '' })
    }
    for (const child of there)
      if (!(mine[kind] as readonly ColumnOrMetric[]).some(({ key }) => key === child.key))
        found.push({ of: nameOf(child), field: kind, mine: '', theirs: nameOf(child) })
  }
  return found
}
