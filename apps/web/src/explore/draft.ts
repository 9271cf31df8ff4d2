import type { ChartForm } from '@parquetry/charts'
import { inheritedSettings, type InheritedSettings } from '@parquetry/model'

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
  | {
      type: 'set'
      name: string
      value: unknown
      look: boolean
      /** What the edit takes along. */
      reconcile?(before: ChartForm, edited: ChartForm): ChartForm
    }
  | { type: 'become'; carry(edited: ChartForm): ChartForm }
  | { type: 'apply' }
  | { type: 'saved'; form: ChartForm }
  | { type: 'undo' }
  | { type: 'redo' }

/** Steps that undo remembers. */
const undoLimit = 50

/** @param now  differs from `saved` when a link or an unsaved draft brought another form */
export const openDraft = (saved: ChartForm, now: ChartForm = saved): ChartDraft => ({
  edited: now,
  applied: now,
  saved,
  past: [],
  future: [],
})

export function reduceChartDraft(draft: ChartDraft, action: DraftAction): ChartDraft {
  switch (action.type) {
    case 'set': {
      const put = (form: ChartForm): ChartForm => {
        const edited = withValue(form, action.name, action.value)
        return action.reconcile?.(form, edited) ?? edited
      }
      const next = step(draft, put(draft.edited))
      return action.look ? { ...next, applied: put(draft.applied) } : next
    }
    case 'become': {
      const form = action.carry(draft.edited)
      return { ...step(draft, form), applied: form }
    }
    case 'apply':
      return { ...draft, applied: draft.edited }
    case 'saved':
      return { ...draft, saved: action.form }
    case 'undo': {
      const before = draft.past.at(-1)
      if (!before) return draft
      return atStep({ ...draft, past: draft.past.slice(0, -1), future: [draft.edited, ...draft.future] }, before)
    }
    case 'redo': {
      const [after, ...rest] = draft.future
      if (!after) return draft
      return atStep({ ...draft, past: [...draft.past, draft.edited], future: rest }, after)
    }
  }
}

/** Another chart type draws nothing of an older answer, so that it is asked at once. */
const atStep = (draft: ChartDraft, edited: ChartForm): ChartDraft => ({
  ...draft,
  edited,
  ...(edited['viz_type'] !== draft.applied['viz_type'] && { applied: edited }),
})

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

/** What the server adds to a form that it opens: the place it was opened from, no setting of the chart. */
const contextKeys = new Set([
  'url_params',
  'applied_time_extras',
  'slice_id',
  'dashboardId',
  'form_data_key',
  inheritedSettings,
])

/** A filter of the dashboard is not the chart's; the one that it stands instead of is. */
const ownFilter = (filter: unknown): unknown[] => {
  const { isExtra, insteadOf } = (filter ?? {}) as { isExtra?: boolean; insteadOf?: unknown }
  return isExtra !== true ? [filter] : insteadOf === undefined ? [] : [insteadOf]
}

/**
 * The settings that are saved: without the place, and without filters and settings of the dashboard it was opened from (EXP-090), in
 * whose place stand the chart's own.
 */
export function extractChartSettings(form: ChartForm): ChartForm {
  const inherited = (form[inheritedSettings] ?? {}) as InheritedSettings
  const own = (name: string, value: unknown): unknown => {
    const laid = Object.hasOwn(inherited, name) ? inherited[name] : undefined
    if (laid && isSame(value, laid.given)) return laid.own
    return name.startsWith('adhoc_filters') && Array.isArray(value) ? value.flatMap(ownFilter) : value
  }
  return Object.fromEntries(
    Object.entries(form)
      .filter(([name]) => !contextKeys.has(name))
      .map(([name, value]) => [name, own(name, value)])
      .filter(([, value]) => value !== undefined),
  )
}

/** Whether an empty value stands where another form has none. */
const isEmptyValue = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0)
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (isEmptyValue(a) && isEmptyValue(b)) || JSON.stringify(a) === JSON.stringify(b)

/** The form of an older type that a form was made of, with the place it was opened from. */
const formBackupKey = 'form_data_bak'

/** The settings that are asked, those of the dashboard among them. */
const extractQuerySettings = (form: ChartForm): ChartForm =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !contextKeys.has(name)))

/** Whether two forms are the same chart; neither the order of their settings nor the place they were opened from counts. */
export function isSameForm(a: ChartForm, b: ChartForm, of = extractChartSettings): boolean {
  if (a === b) return true
  const [left, right] = [of(a), of(b)]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  names.delete(formBackupKey)
  return [...names].every((name) => isSame(left[name], right[name]))
}

export const isChartDirty = ({ edited, saved }: ChartDraft): boolean => !isSameForm(edited, saved)
export const isOutOfDate = ({ edited, applied }: ChartDraft): boolean =>
  !isSameForm(edited, applied, extractQuerySettings)
