import type { ColumnOrMetric, SheetKind, DatasetDocument } from './document.ts'

/** A new value for one field of one row. */
export interface CellEdit {
  key: string
  field: string
  value: string | boolean
}

/** Editor state: the document as read, its current state, and the undo and redo steps. */
export interface DatasetDraft {
  base: DatasetDocument
  /** `changed_on` of the document as read. */
  from: string
  now: DatasetDocument
  past: DatasetDocument[]
  future: DatasetDocument[]
  /** Location of the last step: consecutive edits of one field are one step. */
  place: string | null
}

export type DatasetChange =
  | { type: 'set'; fields: Partial<Omit<DatasetDocument, 'columns' | 'metrics'>> }
  | { type: 'cells'; kind: SheetKind; edits: readonly CellEdit[]; place?: string }
  | { type: 'children'; kind: SheetKind; children: readonly ColumnOrMetric[] }
  | { type: 'replace'; document: DatasetDocument }
  | { type: 'undo' }
  | { type: 'redo' }
  | { type: 'discard' }
  | { type: 'saved'; document: DatasetDocument; from: string }

const maxUndoSteps = 200

export const startDatasetDraft = (base: DatasetDocument, from: string): DatasetDraft => ({
  base,
  from,
  now: base,
  past: [],
  future: [],
  place: null,
})

export const isDatasetDirty = ({ base, now }: DatasetDraft): boolean =>
  base !== now && JSON.stringify(base) !== JSON.stringify(now)

/** Pseudo-field of the sheet: the main time column is a field of the document, shown as a column of checkboxes. */
export const mainTimeField = '__main_dttm'

function withCells(document: DatasetDocument, kind: SheetKind, edits: readonly CellEdit[]): DatasetDocument {
  const byKey = Map.groupBy(edits, ({ key }) => key)
  const children = (document[kind] as ColumnOrMetric[]).map((child) => {
    const own = byKey.get(child.key)?.filter(({ field }) => field !== mainTimeField)
    if (!own || own.length === 0) return child
    return { ...child, ...Object.fromEntries(own.map(({ field, value }) => [field, value])) } as ColumnOrMetric
  })
  const next = { ...document, [kind]: children } as DatasetDocument
  // The main time column follows renames and the checkbox in the sheet.
  const before = document.columns.find(({ column_name }) => column_name === document.main_dttm_col)
  const renamed = before && next.columns.find(({ key }) => key === before.key)?.column_name
  const mark = edits.findLast(({ field }) => field === mainTimeField)
  const marked = mark && next.columns.find(({ key }) => key === mark.key)
  if (mark && marked) return { ...next, main_dttm_col: mark.value === true ? marked.column_name : '' }
  return renamed === undefined ? next : { ...next, main_dttm_col: renamed }
}

const step = (draft: DatasetDraft, now: DatasetDocument, place: string | null = null): DatasetDraft => {
  if (JSON.stringify(now) === JSON.stringify(draft.now)) return draft
  const isSame = place !== null && place === draft.place
  return {
    ...draft,
    now,
    past: isSame ? draft.past : [...draft.past, draft.now].slice(-maxUndoSteps),
    future: [],
    place,
  }
}

export function reduceDatasetDraft(draft: DatasetDraft, change: DatasetChange): DatasetDraft {
  const { now, past, future } = draft
  switch (change.type) {
    case 'set':
      return step(draft, { ...now, ...change.fields }, `set ${Object.keys(change.fields).join()}`)
    case 'cells':
      return step(draft, withCells(now, change.kind, change.edits), change.place)
    case 'children':
      return step(draft, { ...now, [change.kind]: change.children } as DatasetDocument)
    case 'replace':
      return step(draft, change.document)
    case 'discard':
      return step(draft, draft.base)
    case 'undo': {
      const before = past.at(-1)
      return before ? { ...draft, now: before, past: past.slice(0, -1), future: [now, ...future], place: null } : draft
    }
    case 'redo': {
      const [next, ...later] = future
      return next ? { ...draft, now: next, past: [...past, now], future: later, place: null } : draft
    }
    case 'saved':
      return startDatasetDraft(change.document, change.from)
  }
}

interface StoredDraft {
  document: DatasetDocument
  /** The document as read: undo ends there, and a save can detect that another user saved first. */
  base: DatasetDocument
  from: string
}

/** User id: each user of this browser has their own drafts. */
export type DraftOwner = number | undefined

const storageKey = (id: number, editor: DraftOwner): string => `parquetry.dataset.draft.${id}.${editor ?? ''}`

/** Stores the draft, so that a reload, a crash or a closed window does not lose it. */
export function storeDatasetDraft(id: number, editor: DraftOwner, { base, now, from }: DatasetDraft): void {
  try {
    localStorage.setItem(storageKey(id, editor), JSON.stringify({ document: now, base, from } satisfies StoredDraft))
  } catch {
    // With full or disabled storage only the backup is lost; the work is still on the page.
  }
}

export const clearDatasetDraft = (id: number, editor: DraftOwner): void =>
  localStorage.removeItem(storageKey(id, editor))

/** Reads the draft from before a reload; null when missing or unreadable. */
export function readDatasetDraft(id: number, editor: DraftOwner): DatasetDraft | null {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey(id, editor)) ?? 'null') as StoredDraft | null
    if (!stored || !Array.isArray(stored.document?.columns) || !Array.isArray(stored.base?.columns)) return null
    return { ...startDatasetDraft(stored.base, stored.from), now: stored.document, past: [stored.base] }
  } catch {
    return null
  }
}
