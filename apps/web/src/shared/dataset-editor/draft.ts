import type { ColumnOrMetric, SheetKind, DatasetDocument } from './document.ts'

/** One value of one row. */
export interface CellEdit {
  key: string
  field: string
  value: string | boolean
}

/** What is edited: the document as it was read, as it is now, and the steps between. */
export interface DatasetDraft {
  base: DatasetDocument
  /** `changed_on` of what was read. */
  from: string
  now: DatasetDocument
  past: DatasetDocument[]
  future: DatasetDocument[]
  /** Where the last step was made: typing in one field is one step. */
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

/** Of a time column others cannot be the main one: marking one is a field of the document, which the sheet shows as a column. */
export const mainTimeField = '__main_dttm'

function withCells(document: DatasetDocument, kind: SheetKind, edits: readonly CellEdit[]): DatasetDocument {
  const byKey = Map.groupBy(edits, ({ key }) => key)
  const children = (document[kind] as ColumnOrMetric[]).map((child) => {
    const own = byKey.get(child.key)?.filter(({ field }) => field !== mainTimeField)
    if (!own || own.length === 0) return child
    return { ...child, ...Object.fromEntries(own.map(({ field, value }) => [field, value])) } as ColumnOrMetric
  })
  const next = { ...document, [kind]: children } as DatasetDocument
  // The main time column follows its name, and goes by the mark in the sheet.
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
  /** What it was made from: with it the steps begin there, and a save can tell whether somebody was faster. */
  base: DatasetDocument
  from: string
}

/** Whoever else signs in on this browser has drafts of his own. */
export type DraftOwner = number | undefined

const storageKey = (id: number, editor: DraftOwner): string => `parquetry.dataset.draft.${id}.${editor ?? ''}`

/** What a reload, a crash or a closed window must not lose. */
export function storeDatasetDraft(id: number, editor: DraftOwner, { base, now, from }: DatasetDraft): void {
  try {
    localStorage.setItem(storageKey(id, editor), JSON.stringify({ document: now, base, from } satisfies StoredDraft))
  } catch {
    // A full or closed storage loses the safety net, not the work: that is still on the page.
  }
}

export const clearDatasetDraft = (id: number, editor: DraftOwner): void =>
  localStorage.removeItem(storageKey(id, editor))

/** The draft of before a reload; null where there is none or it is not readable. */
export function readDatasetDraft(id: number, editor: DraftOwner): DatasetDraft | null {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey(id, editor)) ?? 'null') as StoredDraft | null
    if (!kept || !Array.isArray(kept.document?.columns) || !Array.isArray(kept.base?.columns)) return null
    return { ...startDatasetDraft(kept.base, kept.from), now: kept.document, past: [kept.base] }
  } catch {
    return null
  }
}
