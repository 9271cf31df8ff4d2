import type { ChartForm } from '@parquetry/charts'
import { inheritedSettings, type InheritedSettings } from '@parquetry/model'

/**
 * Draft of a chart. `edited` is the form in the controls, `applied` the form that was last queried and is drawn, `saved` the form
 * on the server. Appearance settings change both `edited` and `applied`, since they need no query.
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
      /** Adjusts dependent settings after the edit. */
      reconcile?(before: ChartForm, edited: ChartForm): ChartForm
    }
  | { type: 'become'; carry(edited: ChartForm): ChartForm }
  | { type: 'apply' }
  | { type: 'saved'; form: ChartForm }
  | { type: 'undo' }
  | { type: 'redo' }

/** Number of undo steps. */
const undoLimit = 50

/** @param now  differs from `saved` when a link or an unsaved draft supplied another form */
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
      const setValue = (form: ChartForm): ChartForm => {
        const edited = withValue(form, action.name, action.value)
        return action.reconcile?.(form, edited) ?? edited
      }
      const next = step(draft, setValue(draft.edited))
      return action.look ? { ...next, applied: setValue(draft.applied) } : next
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

/** Another chart type cannot draw the previous result, so the form is applied immediately. */
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

/** Undefined removes the setting from the form. */
const withValue = (form: ChartForm, name: string, value: unknown): ChartForm => {
  if (value !== undefined) return { ...form, [name]: value }
  const { [name]: _, ...rest } = form
  return rest
}

/** Keys that the server adds to an opened form. They describe its context, not the chart. */
const contextKeys = new Set([
  'url_params',
  'applied_time_extras',
  'slice_id',
  'dashboardId',
  'form_data_key',
  inheritedSettings,
])

/** Drops a filter of the dashboard, and restores the chart's own filter that it replaces. */
const ownFilter = (filter: unknown): unknown[] => {
  const { isExtra, insteadOf } = (filter ?? {}) as { isExtra?: boolean; insteadOf?: unknown }
  return isExtra !== true ? [filter] : insteadOf === undefined ? [] : [insteadOf]
}

/**
 * The settings to save: without context keys, and with the chart's own filters and settings instead of those inherited from a
 * dashboard (EXP-090).
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

/** Treats an empty list as equal to a missing value. */
const isEmptyValue = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0)
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (isEmptyValue(a) && isEmptyValue(b)) || JSON.stringify(a) === JSON.stringify(b)

/** The older form from which a form was migrated, including its context keys. */
const formBackupKey = 'form_data_bak'

/** The settings of a query, including those inherited from the dashboard. */
const extractQuerySettings = (form: ChartForm): ChartForm =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !contextKeys.has(name)))

/** True if two forms describe the same chart, regardless of key order and context. */
export function isSameForm(a: ChartForm, b: ChartForm, extract = extractChartSettings): boolean {
  if (a === b) return true
  const [left, right] = [extract(a), extract(b)]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  names.delete(formBackupKey)
  return [...names].every((name) => isSame(left[name], right[name]))
}

export const isChartDirty = ({ edited, saved }: ChartDraft): boolean => !isSameForm(edited, saved)
export const isOutOfDate = ({ edited, applied }: ChartDraft): boolean =>
  !isSameForm(edited, applied, extractQuerySettings)
