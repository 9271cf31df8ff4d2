import type { ChartForm } from '../define.ts'

type Extra = Record<string, unknown>

/** Returns an empty record for other values: spreading a text would create a field for each of its characters. */
export const asRecord = (value: unknown): Extra =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Extra) : {}

const listKeys = [
  'filters',
  'adhoc_filters',
  'interactive_groupby',
  'interactive_highlight',
  'interactive_drilldown',
] as const

/** Merges several masks: lists are concatenated, otherwise the last value wins. */
export function mergeExtras(extras: readonly Extra[]): Extra {
  const merged: Extra = {}
  for (const extra of extras)
    for (const [key, value] of Object.entries(extra)) {
      if (value === undefined || value === null) continue
      const isList = (listKeys as readonly string[]).includes(key)
      if (isList) merged[key] = [...((merged[key] as unknown[] | undefined) ?? []), ...[value].flat()]
      else if (key === 'custom_form_data') merged[key] = { ...asRecord(merged[key]), ...asRecord(value) }
      else merged[key] = value
    }
  return merged
}

/**
 * Adds the dashboard's filters and cross-filters to the form as `extra_form_data`; the form's own come first. Pure, and returns
 * the same form object when there is nothing to add.
 * @param extras `extraFormData` of the masks in scope of the chart, in order: `collectExtraFormData` of packages/model
 */
export function withFilters(form: ChartForm, extras: readonly Extra[]): ChartForm {
  if (extras.length === 0) return form
  const own = asRecord(form.extra_form_data)
  return { ...form, extra_form_data: mergeExtras([own, ...extras]) }
}

/** Special columns in which legacy dashboards store time filters in `extra_filters`. */
const timeColumns: Record<string, string> = {
  __time_range: 'time_range',
  __time_col: 'granularity_sqla',
  __time_grain: 'time_grain_sqla',
  __granularity: 'granularity_sqla',
}

/** Returns all that a dashboard adds to a form, and the part that must be reported back as `applied_time_extras`. */
export function readExtras(form: ChartForm): { extra: Extra; applied: Extra } {
  const given = asRecord(form.extra_form_data)
  const old = readLegacyExtras(form.extra_filters)
  return { extra: mergeExtras([given, old.extra]), applied: { ...toTimeExtras(given), ...old.applied } }
}

/**
 * Returns the time settings of a dashboard under the legacy column names, so that the server reports whether they were applied.
 */
function toTimeExtras({ time_range, time_grain_sqla, granularity_sqla, granularity }: Extra): Extra {
  const timeExtras = {
    __time_range: time_range,
    __time_col: granularity_sqla ?? granularity,
    __time_grain: time_grain_sqla,
  }
  return Object.fromEntries(Object.entries(timeExtras).filter(([, value]) => value))
}

/**
 * Replaces the form's time range, column, grain, comparison and group-by columns with those of the dashboard, for queries and the
 * chart. A form without group-by columns stays ungrouped.
 */
export function applyDashboardOverrides(form: ChartForm): ChartForm {
  const { extra } = readExtras(form)
  const granularity_sqla = extra.granularity_sqla ?? extra.granularity
  const { time_range, time_grain_sqla, time_compare } = extra
  const columns = Array.isArray(form.groupby) && form.groupby.length > 0 ? asList(extra.interactive_groupby) : []
  const groupby = columns.length > 0 ? columns : undefined
  const over = Object.entries({ time_range, time_grain_sqla, time_compare, granularity_sqla, groupby })
  return { ...form, ...Object.fromEntries(over.filter(([, value]) => value !== undefined)) }
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function readLegacyExtras(entries: unknown): { extra: Extra; applied: Extra } {
  const extra: Extra = {}
  const applied: Extra = {}
  const filters: unknown[] = []
  for (const entry of Array.isArray(entries) ? (entries as { col?: string; val?: unknown }[]) : []) {
    const name = timeColumns[entry?.col ?? '']
    if (!name) filters.push(entry)
    else if (entry.val !== undefined && entry.val !== null) {
      extra[name] = entry.val
      applied[entry.col as string] = entry.val
    }
  }
  return { extra: filters.length > 0 ? { ...extra, filters } : extra, applied }
}
