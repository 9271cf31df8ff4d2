import { labelOfColumn, message, type OffsetJoin } from '@parquetry/model'
import { formatIso, isRepresentable, parseIso } from '../time-range/naive-time.ts'
import type { TimeRange } from '../time-range/resolve-time-range.ts'
import { parseOffset, shiftBack } from '../time-range/time-shift.ts'
import { isBaseAxis } from './dimensions.ts'
import { isTemporalRange } from './filters.ts'
import { findRangeFilter, findRangeText } from './range-text.ts'
import { resolveQueryRange } from './resolve-query-range.ts'
import { invalidQuery, type Scope } from './scope.ts'
import type { BuiltStatement } from './statement.ts'

const periodByGrain: Record<string, OffsetJoin['period']> = { P1M: 'month', P3M: 'quarter', P1Y: 'year' }

/** Period on which rows are joined; null to join them on the exact time. Weeks may begin on any day. */
const periodOf = (grain: string | null | undefined): OffsetJoin['period'] =>
  grain?.includes('P1W') ? 'week' : (periodByGrain[grain ?? ''] ?? null)

/**
 * Query of each time offset, and how its rows are joined to those of the main query: by time and the other dimensions; by the other
 * dimensions if there is no time column; by position if there are no dimensions.
 * @throws AppError `invalid_query` for an open range or an invalid offset
 */
export function planTimeOffsets(scope: Scope, main: BuiltStatement): { scope: Scope; join: OffsetJoin }[] {
  const offsets = scope.query.time_offsets ?? []
  if (offsets.length === 0) return []
  const { since, until } = outerRange(scope)
  if (!since || !until) {
    throw invalidQuery(
      message(
        'errors.query.openComparison',
        'Error: An enclosed time range (both start and end) must be specified when using a Time Comparison.',
      ),
    )
  }
  const time = main.dimensions.find(({ isTimeAxis }) => isTimeAxis)
  return offsets.map((offset) => {
    const shift = parseOffset(offset, since, until)
    const shifted = { since: shiftedIso(since, shift), until: shiftedIso(until, shift) }
    const join: OffsetJoin = {
      offset,
      on: main.dimensions.map(({ label }) => label),
      time: time?.label ?? null,
      shift,
      period: periodOf(time?.grain),
      metrics: main.measures.map(({ label }) => label),
    }
    return { scope: shiftedScope(scope, shifted, { since, until }), join }
  })
}

function shiftedIso(iso: string, shift: OffsetJoin['shift']): string {
  const time = shiftBack(parseIso(iso), shift)
  if (!isRepresentable(time))
    throw invalidQuery(
      message('errors.query.comparisonYears', 'Error: A time comparison must be between the years 1 and 9999.'),
    )
  return formatIso(time)
}

const outerRange = (scope: Scope): TimeRange => resolveQueryRange(findRangeText(scope.query), scope)

/** Same query with another range, which is applied to the time column instead of a filter. */
function shiftedScope(scope: Scope, range: TimeRange, innerRange: TimeRange): Scope {
  const { query, columns } = scope
  const filter = findRangeFilter(query)
  const axis = query.columns?.find((column) => isBaseAxis(column))
  const granularity =
    scope.granularity ??
    columns.get(labelOfColumn(filter?.col ?? '')) ??
    columns.get(axis && isBaseAxis(axis) ? axis.sqlExpression : '') ??
    null
  const filters = query.filters?.filter((one) => !(isTemporalRange(one) && one.col === granularity?.column_name))
  return { ...scope, query: { ...query, filters }, granularity, range, innerRange }
}
