import type { Child, ChildKind, DatasetDocument } from './document.ts'

/** One value of one row. */
export interface CellEdit {
  key: string
  field: string
  value: string | boolean
}

/** What is edited: the document as it was read, as it is now, and the steps between. */
export interface Draft {
  base: DatasetDocument
  /** `changed_on` of what was read. */
  from: string
  now: DatasetDocument
  past: DatasetDocument[]
  future: DatasetDocument[]
  /** Where the last step was made: typing in one field is one step. */
  place: string | null
}

export type Change =
  | { type: 'set'; fields: Partial<Omit<DatasetDocument, 'columns' | 'metrics'>> }
  | { type: 'cells'; kind: ChildKind; edits: readonly CellEdit[]; place?: string }
  | { type: 'children'; kind: ChildKind; children: readonly Child[] }
  | { type: 'replace'; document: DatasetDocument }
  | { type: 'undo' }
  | { type: 'redo' }
  | { type: 'discard' }
  | { type: 'saved'; document: DatasetDocument; from: string }

const mostSteps = 200

export const startDraft = (base: DatasetDocument, from: string): Draft => ({
  base,
  from,
  now: base,
  past: [],
  future: [],
  place: null,
})

export const isDirty = ({ base, now }: Draft): boolean => base !== now && JSON.stringify(base) !== JSON.stringify(now)

/** Of a time column others cannot be the main one: marking one is a field of the document, which the sheet shows as a column. */
export const mainTime = '__main_dttm'

function withCells(document: DatasetDocument, kind: ChildKind, edits: readonly CellEdit[]): DatasetDocument {
  const byKey = Map.groupBy(edits, ({ key }) => key)
  const children = (document[kind] as Child[]).map((child) => {
    const own = byKey.get(child.key)?.filter(({ field }) => field !== mainTime)
    if (!own || own.length === 0) return child
    return { ...child, ...Object.fromEntries(own.map(({ field, value }) => [field, value])) } as Child
  })
  const next = { ...document, [kind]: children } as DatasetDocument
  // The main time column follows its name, and goes by the mark in the sheet.
  const before = document.columns.find(({ column_name }) => column_name === document.main_dttm_col)
  const renamed = before && next.columns.find(({ key }) => key === before.key)?.column_name
  const mark = edits.findLast(({ field }) => field === mainTime)
  const marked = mark && next.columns.find(({ key }) => key === mark.key)
  if (mark && marked) return { ...next, main_dttm_col: mark.value === true ? marked.column_name : '' }
  return renamed === undefined ? next : { ...next, main_dttm_col: renamed }
}

const step = (draft: Draft, now: DatasetDocument, place: string | null = null): Draft => {
  if (JSON.stringify(now) === JSON.stringify(draft.now)) return draft
  const isSame = place !== null && place === draft.place
  return {
    ...draft,
    now,
    past: isSame ? draft.past : [...draft.past, draft.now].slice(-mostSteps),
    future: [],
    place,
  }
}

export function reduceDraft(draft: Draft, change: Change): Draft {
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
      return startDraft(change.document, change.from)
  }
}

interface KeptDraft {
  document: DatasetDocument
  /** What it was made from: with it the steps begin there, and a save can tell whether somebody was faster. */
  base: DatasetDocument
  from: string
}

/** Whoever else signs in on this browser has drafts of his own. */
export type Editor = number | undefined

const keyOf = (id: number, editor: Editor): string => `parquetry.dataset.draft.${id}.${editor ?? ''}`

/** What a reload, a crash or a closed window must not lose. */
export function keepDraft(id: number, editor: Editor, { base, now, from }: Draft): void {
  try {
    localStorage.setItem(keyOf(id, editor), JSON.stringify({ document: now, base, from } satisfies KeptDraft))
  } catch {
    // A full or closed storage loses the safety net, not the work: that is still on the page.
  }
}

export const dropDraft = (id: number, editor: Editor): void => localStorage.removeItem(keyOf(id, editor))

/** The draft of before a reload; null where there is none or it is not readable. */
export function readDraft(id: number, editor: Editor): Draft | null {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(id, editor)) ?? 'null') as KeptDraft | null
    if (!kept || !Array.isArray(kept.document?.columns) || !Array.isArray(kept.base?.columns)) return null
    return { ...startDraft(kept.base, kept.from), now: kept.document, past: [kept.base] }
  } catch {
    return null
  }
}
