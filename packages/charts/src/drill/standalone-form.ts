import type { QueryColumn, QueryFilter } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { asRecord } from '../query/extra-form-data.ts'
import { endOfPeriod, startOfPeriod } from '../shared/grain.ts'

/**
 * Returns a standalone form: overrides of a dashboard or a drill become its own filters, range and grain, so that it sends the
 * same query as a separate chart.
 */
export function toStandaloneForm(form: ChartForm): ChartForm {
  const { extra_form_data, slice_id: _, dashboardId: __, ...own } = form
  const { filters = [], adhoc_filters = [], time_range, time_grain_sqla, granularity_sqla } = asRecord(extra_form_data)
  const added = [...(filters as QueryFilter[]).flatMap(asAdhoc), ...(adhoc_filters as object[])]
  const range = { time_range, time_grain_sqla, granularity_sqla }
  return {
    ...own,
    ...Object.fromEntries(Object.entries(range).filter(([, value]) => value !== undefined && value !== null)),
    ...(added.length > 0 && {
      adhoc_filters: [...(Array.isArray(form.adhoc_filters) ? (form.adhoc_filters as object[]) : []), ...added],
    }),
  }
}

function asAdhoc({ col, op, val, grain, isExact }: QueryFilter): object[] {
  if (op === '==' && grain && typeof val === 'number') {
    const [from, to] = [startOfPeriod(val, grain), endOfPeriod(val, grain)]
    if (to !== null) return [buildAdhocFilter(col, '>=', from), buildAdhocFilter(col, '<', to)]
  }
  return [{ ...buildAdhocFilter(col, op, val), ...(isExact && { isExact }) }]
}

/** Converts filters on expressions to SQL: simple filters of controls support only columns. */
function buildAdhocFilter(col: QueryColumn, operator: string, comparator: unknown): object {
  if (typeof col === 'string')
    return {
      expressionType: 'SIMPLE',
      clause: 'WHERE',
      subject: col,
      operator,
      ...(comparator !== undefined && { comparator }),
    }
  const sqlExpression = `(${col.sqlExpression}) ${operators[operator] ?? operator}${literals(comparator)}`
  return { expressionType: 'SQL', clause: 'WHERE', sqlExpression }
}

const operators: Record<string, string> = { '==': '=', '!=': '<>' }

function literals(value: unknown): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return ` (${value.map(literal).join(', ')})`
  return ` ${literal(value)}`
}

const literal = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : `'${String(value).replaceAll("'", "''")}'`
