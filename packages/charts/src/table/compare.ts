import { labelOfMetric, type PostProcessing, type QueryObject } from '@parquetry/model'
import Type from 'typebox'
import { control, type ChartForm } from '../define.ts'
import { choice, flag, nullable } from '../shared/controls.ts'
import type { TableSettings } from '../shared/table/query.ts'

const shifts = ['1 day ago', '1 week ago', '1 month ago', '1 quarter ago', '1 year ago'] as const
const isCompared = (form: ChartForm) => form.query_mode !== 'raw' && Boolean([form.time_compare].flat()[0])

export const compareForm = {
  time_compare: control(Type.Optional(nullable(Type.String())), {
    label: 'Time shift',
    group: 'compare',
    description:
      'Earlier period to compare with, such as 24 hours ago or 52 weeks ago. Requires a time range with a start and an end.',
    presets: [
      ['inherit', 'Inherit range from time filter'],
      ...shifts.map((shift) => [shift, shift] as const),
      ['custom', 'Custom date'],
    ],
    when: (form: ChartForm) => form.query_mode !== 'raw',
  }),
  start_date_offset: control(Type.Optional(nullable(Type.String())), {
    label: 'Shift start date',
    group: 'compare',
    as: 'date',
    description: 'Start date of the comparison period, which is as long as the time range.',
    when: (form: ChartForm) => isCompared(form) && form.time_compare === 'custom',
  }),
  comparison_color_enabled: flag('Add color for positive/negative change', false, {
    group: 'compare',
    when: isCompared,
  }),
  comparison_color_scheme: control(choice(['Green', 'Red'], 'Green'), {
    label: 'Color scheme for comparison',
    group: 'compare',
    options: {
      Green: 'Green for increase, red for decrease',
      Red: 'Red for increase, green for decrease',
    },
    when: (form: ChartForm) => isCompared(form) && form.comparison_color_enabled === true,
  }),
}

export interface CompareSettings {
  time_compare?: string | null
  start_date_offset?: string | null
  comparison_color_enabled: boolean
  comparison_color_scheme: 'Green' | 'Red'
}

/** Returns the comparison time in the form that the server accepts: an offset, `inherit` or a date; null without a comparison. */
export function readTableTimeShift({
  query_mode,
  time_compare,
  start_date_offset,
}: TableSettings & CompareSettings): string | null {
  if (query_mode === 'raw' || !time_compare) return null
  return time_compare === 'custom' ? (/^\d{4}-\d{2}-\d{2}/.exec(start_date_offset ?? '')?.[0] ?? null) : time_compare
}

/** Meaning of a response column for a metric. */
export type ComparisonRole = 'main' | 'previous' | 'difference' | 'percentage'

/** Returns the names of the response columns with a metric, its earlier value and their differences. */
export const comparisonColumnNames = (metric: string, shift: string): Record<ComparisonRole, string> => ({
  main: metric,
  previous: `${metric}__${shift}`,
  difference: `difference__${metric}__${metric}__${shift}`,
  percentage: `percentage__${metric}__${metric}__${shift}`,
})

/** Names of these columns in other clients, used in column settings and conditional formats. */
export const comparisonSigns: Record<ComparisonRole, string> = {
  main: 'Main',
  previous: '#',
  difference: '△',
  percentage: '%',
}

/** Adds the comparison time to the queries for rows and totals; the server computes the differences for all clients. */
export function withComparison<Q extends Record<string, Partial<QueryObject>>>(
  queries: Q,
  form: TableSettings & CompareSettings,
): Record<string, Partial<QueryObject>> {
  const shift = readTableTimeShift(form)
  if (shift === null || form.metrics.length === 0) return queries
  const labels = form.metrics.map(labelOfMetric)
  const step = (compare_type: 'difference' | 'percentage'): PostProcessing => ({
    operation: 'compare',
    options: {
      source_columns: labels,
      compare_columns: labels.map((label) => comparisonColumnNames(label, shift).previous),
      compare_type,
      drop_original_columns: false,
      ...(compare_type === 'percentage' && { precision: 6 }),
    },
  })
  const addComparison = (query: Partial<QueryObject>): Partial<QueryObject> => ({
    ...query,
    time_offsets: [shift],
    post_processing: [...(query.post_processing ?? []), step('difference'), step('percentage')],
  })
  return Object.fromEntries(
    Object.entries(queries).map(([name, query]) => [name, name === 'count' ? query : addComparison(query)]),
  )
}

/**
 * Removes from the responses the metrics of which only shares are shown, so that no client shows them. They had to be queried for
 * the shares.
 */
export function withoutHelpers<Q extends Record<string, Partial<QueryObject>>>(
  queries: Q,
  form: TableSettings & CompareSettings,
): Record<string, Partial<QueryObject>> {
  if (form.query_mode === 'raw') return queries
  const shown = new Set(form.metrics.map(labelOfMetric))
  const shift = readTableTimeShift(form)
  const isCompared = shift !== null && form.metrics.length > 0
  const exclude = [...new Set(form.percent_metrics.map(labelOfMetric))]
    .filter((label) => !shown.has(label))
    .flatMap((label) => [label, ...(isCompared ? [comparisonColumnNames(label, shift).previous] : [])])
  if (exclude.length === 0) return queries
  const step: PostProcessing = { operation: 'select', options: { exclude } }
  return Object.fromEntries(
    Object.entries(queries).map(([name, query]) => [
      name,
      name === 'count' ? query : { ...query, post_processing: [...(query.post_processing ?? []), step] },
    ]),
  )
}
