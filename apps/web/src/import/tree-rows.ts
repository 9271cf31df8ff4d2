import type { BundledKind, Difference, ImportedObject } from '@parquetry/model'

/** Objects of one kind. */
export interface ImportGroup {
  kind: BundledKind
  objects: ImportedObject[]
}

/** A sentence, with long texts or JSON to compare. */
export interface ShownDifference {
  text: string
  long?: Difference['long'] | undefined
}

interface RowPosition {
  /** Unique in the tree. */
  key: string
  /** 1 for a kind, 2 for an object, 3 for a detail of an object. */
  level: 1 | 2 | 3
  position: number
  setSize: number
  /** undefined without children. */
  isOpen?: boolean
}

export type ImportTreeRow = RowPosition &
  (
    | { type: 'group'; group: ImportGroup }
    | { type: 'object'; object: ImportedObject }
    | ({ type: 'detail'; of: 'problem' | 'note' | 'difference' } & ShownDifference)
    | { type: 'more'; kind: BundledKind; hidden: number }
  )

/** Rows that a group shows at first, and that each "show more" adds. */
export const groupPageSize = 100
/** Small bundles are shown as a whole. */
const maxOpenObjects = 30

/** Those that need a decision come first. */
const rankOf = (object: ImportedObject): number =>
  (object.problems?.length ?? 0) > 0 ? 0 : object.state === 'changed' ? 1 : object.state === 'new' ? 2 : 3

/** Objects by kind, in the order of `kinds`; within a kind those that need a decision first. */
export function groupObjects(objects: readonly ImportedObject[], kinds: readonly BundledKind[]): ImportGroup[] {
  const byKind = Map.groupBy(objects, ({ kind }) => kind)
  return kinds.flatMap((kind) => {
    const found = byKind.get(kind)
    return found ? [{ kind, objects: found.toSorted((a, b) => rankOf(a) - rankOf(b)) }] : []
  })
}

const needsDecision = ({ problems = [], state, unsupported }: ImportedObject): boolean =>
  problems.length > 0 || state === 'changed' || unsupported === true

/** Rows that are open at first: all groups of a small bundle, else those that need a decision, and what has problems. */
export function initiallyOpen(groups: readonly ImportGroup[]): Set<string> {
  const count = groups.reduce((n, { objects }) => n + objects.length, 0)
  return new Set(
    groups.flatMap(({ kind, objects }) => [
      ...(count <= maxOpenObjects || objects.some(needsDecision) ? [kind] : []),
      ...objects.filter(({ problems = [], unsupported }) => problems.length > 0 || unsupported).map(({ path }) => path),
    ]),
  )
}

export interface TreeView {
  open: ReadonlySet<string>
  /** Rows that a group shows, beyond the first page. */
  shown: ReadonlyMap<BundledKind, number>
  /** Shows only objects whose name contains this text, in open groups. */
  search: string
  listDifferences(object: ImportedObject): ShownDifference[]
}

function* detailsOf(object: ImportedObject, differences: readonly ShownDifference[]) {
  for (const text of object.problems ?? []) yield { of: 'problem' as const, text }
  for (const text of object.notes ?? []) yield { of: 'note' as const, text }
  for (const difference of differences) yield { of: 'difference' as const, ...difference }
}

const hasDetails = ({ problems = [], notes = [], differences }: ImportedObject): boolean =>
  problems.length > 0 || notes.length > 0 || differences !== undefined

/** The visible rows of the tree, in order. */
export function buildTreeRows(groups: readonly ImportGroup[], view: TreeView): ImportTreeRow[] {
  const wanted = view.search.trim().toLowerCase()
  const rows: ImportTreeRow[] = []
  const found = groups.flatMap((group) => {
    const objects = wanted
      ? group.objects.filter(({ name, path }) => `${name}\n${path}`.toLowerCase().includes(wanted))
      : group.objects
    return objects.length > 0 ? [{ group, objects }] : []
  })
  for (const [at, { group, objects }] of found.entries()) {
    const { kind } = group
    const isOpen = wanted !== '' || view.open.has(kind)
    rows.push({
      type: 'group',
      key: kind,
      group: { kind, objects },
      level: 1,
      position: at + 1,
      setSize: found.length,
      isOpen,
    })
    if (!isOpen) continue
    const limit = view.shown.get(kind) ?? groupPageSize
    const setSize = objects.length
    for (const [index, object] of objects.slice(0, limit).entries()) {
      const isOpened = view.open.has(object.path)
      rows.push({
        type: 'object',
        key: object.path,
        object,
        level: 2,
        position: index + 1,
        setSize,
        ...(hasDetails(object) && { isOpen: isOpened }),
      })
      if (!isOpened) continue
      const details = [...detailsOf(object, view.listDifferences(object))]
      for (const [n, detail] of details.entries())
        rows.push({
          type: 'detail',
          key: `${object.path} ${n}`,
          ...detail,
          level: 3,
          position: n + 1,
          setSize: details.length,
        })
    }
    if (limit < setSize)
      rows.push({
        type: 'more',
        key: `${kind} more`,
        kind,
        hidden: setSize - limit,
        level: 2,
        position: limit + 1,
        setSize: limit + 1,
      })
  }
  return rows
}
