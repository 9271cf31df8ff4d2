import { baseQuery, type ChartForm } from '@parquetry/charts'
import type { QueryFilter } from '@parquetry/model'

interface Names {
  verbose_map?: Readonly<Record<string, string | null | undefined>> | undefined
  time_grain_sqla?: readonly (readonly [grain: string | null, label: string])[] | undefined
}

const signs: Record<string, string> = {
  '==': '=',
  '!=': '≠',
  '>=': '≥',
  '<=': '≤',
  TEMPORAL_RANGE: ':',
  IN: '=',
  'NOT IN': '≠',
}

/** Describes every filter of a form, including filters applied on top, as a short text each. */
export function formatFilters(form: ChartForm, names: Names = {}): string[] {
  const { filters, time_range, extras } = baseQuery(form)
  const range = time_range && time_range !== 'No filter' ? [time_range] : []
  const texts = (filters ?? []).flatMap((filter) => formatFilter(filter, names, range.length > 0) ?? [])
  return [...new Set([...range, ...texts, ...(extras?.where ? [extras.where] : [])])]
}

function formatFilter({ col, op, val, grain }: QueryFilter, names: Names, hasRange: boolean): string | null {
  const sign = op.toUpperCase()
  // The time range of the whole query replaces those of its filters.
  if (sign === 'TEMPORAL_RANGE' && (hasRange || val === 'No filter' || val == null)) return null
  const name = typeof col === 'string' ? names.verbose_map?.[col] || col : (col.label ?? col.sqlExpression)
  if (val === undefined || val === null) return `${name} ${sign.toLowerCase()}`
  const value = grain && typeof val === 'number' ? `${timeText(val)} (${grainName(grain, names)})` : valueText(val)
  return sign === 'TEMPORAL_RANGE' ? `${name}: ${value}` : `${name} ${signs[sign] ?? sign.toLowerCase()} ${value}`
}

const maxValues = 5

function valueText(value: unknown): string {
  if (!Array.isArray(value)) return value === '' ? '""' : String(value)
  const more = value.length - maxValues
  return value.slice(0, maxValues).map(valueText).join(', ') + (more > 0 ? ` +${more}` : '')
}

const grainName = (grain: string, { time_grain_sqla = [] }: Names): string =>
  time_grain_sqla.find(([each]) => each === grain)?.[1] ?? grain

/** Database times have no time zone and are shown unchanged. */
const timeText = (index: number): string =>
  new Date(index)
    .toISOString()
    .replace('T', ' ')
    .replace(/(?: 00:00)?(?::00)?\.000Z$/, '')
