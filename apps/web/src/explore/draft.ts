import type { ChartForm } from '@parquetry/charts'

/**
 * The chart being edited. `edited` is what the controls show, `applied` is what was last asked and is drawn, `saved` is what the
 * server keeps. Settings of the look go into both at once, since they need no question.
 */
export interface ChartDraft {
  edited: ChartForm
  applied: ChartForm
  saved: ChartForm
  past: readonly ChartForm[]
  future: readonly ChartForm[]
}

export type DraftAction =
  | { type: 'set'; name: string; value: unknown; look: boolean }
  | { type: 'replace'; form: ChartForm }
  | { type: 'apply' }
  | { type: 'saved'; form: ChartForm }
  | { type: 'undo' }
  | { type: 'redo' }

/** Steps that undo remembers (permissions-and-config.md 4). */
const undoLimit = 50

/** @param now  differs from `saved` when a link or an unsaved draft brought another form */
export const openDraft = (saved: ChartForm, now: ChartForm = saved): ChartDraft => ({
  edited: now,
  applied: now,
  saved,
  past: [],
  future: [],
})

export function reduceDraft(draft: ChartDraft, action: DraftAction): ChartDraft {
  switch (action.type) {
    case 'set': {
      const put = (form: ChartForm): ChartForm => withValue(form, action.name, action.value)
      const next = step(draft, put(draft.edited))
      return action.look ? { ...next, applied: put(draft.applied) } : next
    }
    case 'replace':
      return { ...step(draft, action.form), applied: action.form }
    case 'apply':
      return { ...draft, applied: draft.edited }
    case 'saved':
      return { ...draft, saved: action.form }
    case 'undo': {
      const before = draft.past.at(-1)
      if (!before) return draft
      return { ...draft, edited: before, past: draft.past.slice(0, -1), future: [draft.edited, ...draft.future] }
    }
    case 'redo': {
      const [after, ...rest] = draft.future
      if (!after) return draft
      return { ...draft, edited: after, past: [...draft.past, draft.edited], future: rest }
    }
  }
}

const step = (draft: ChartDraft, edited: ChartForm): ChartDraft => ({
  ...draft,
  edited,
  past: [...draft.past, draft.edited].slice(-undoLimit),
  future: [],
})

/** Undefined takes the setting out of the form. */
const withValue = (form: ChartForm, name: string, value: unknown): ChartForm => {
  if (value !== undefined) return { ...form, [name]: value }
  const { [name]: _, ...rest } = form
  return rest
}

const text = (form: ChartForm): string => JSON.stringify(form, Object.keys(form).sort())
/** Whether two forms ask and draw the same; the order of their settings does not count. */
export const isSameForm = (a: ChartForm, b: ChartForm): boolean =>
  a === b || (text(a) === text(b) && Object.keys(a).every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key])))

export const isDirty = ({ edited, saved }: ChartDraft): boolean => !isSameForm(edited, saved)
export const isOutOfDate = ({ edited, applied }: ChartDraft): boolean => !isSameForm(edited, applied)
