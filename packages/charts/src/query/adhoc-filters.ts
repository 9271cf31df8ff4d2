import { AppError, message, type Extras, type QueryColumn, type QueryFilter } from '@parquetry/model'

/** An entry of `adhoc_filters` (CTRL-061). Additional fields of other tools are ignored. */
interface AdhocFilter {
  expressionType?: 'SIMPLE' | 'SQL'
  clause?: 'WHERE' | 'HAVING' | null
  subject?: QueryColumn | null
  operator?: string | null
  operatorId?: string | null
  comparator?: unknown
  sqlExpression?: string | null
  isExtra?: boolean | null
  isExact?: boolean | null
}

/** Client operators by id -> transmitted value (CTRL-077). */
export const operators: Record<string, string> = {
  EQUALS: '==',
  NOT_EQUALS: '!=',
  LESS_THAN: '<',
  LESS_THAN_OR_EQUAL: '<=',
  GREATER_THAN: '>',
  GREATER_THAN_OR_EQUAL: '>=',
  IN: 'IN',
  NOT_IN: 'NOT IN',
  LIKE: 'LIKE',
  NOT_LIKE: 'NOT LIKE',
  ILIKE: 'ILIKE',
  REGEX: 'REGEX',
  NOT_REGEX: 'NOT REGEX',
  IS_NULL: 'IS NULL',
  IS_NOT_NULL: 'IS NOT NULL',
  LATEST_PARTITION: 'LATEST PARTITION',
  IS_TRUE: '==',
  IS_FALSE: '==',
  TEMPORAL_RANGE: 'TEMPORAL_RANGE',
}
const withoutValue = new Set(['IS NULL', 'IS NOT NULL', 'LATEST PARTITION', 'IS TRUE', 'IS FALSE'])

const textFields = ['clause', 'operator', 'operatorId', 'sqlExpression'] as const

/** Skipping a filter that is not understood would show other rows. @throws AppError `invalid_query` */
function requireTexts(filter: AdhocFilter): void {
  for (const field of textFields)
    if (filter[field] != null && typeof filter[field] !== 'string')
      throw new AppError('invalid_query', {
        message: message('errors.charts.filterField', 'The field "{field}" of a filter must be a text.', { field }),
      })
}

/**
 * Splits form filters for a query object: simple WHERE filters become `filters`, SQL becomes bracketed `extras.where` and
 * `extras.having`; a simple HAVING is not sent, an incomplete entry is skipped.
 * @throws AppError `invalid_query` for fields of another type
 */
export function splitFilters(entries: unknown): { filters: QueryFilter[]; where: string[]; having: string[] } {
  const split = { filters: [] as QueryFilter[], where: [] as string[], having: [] as string[] }
  for (const entry of Array.isArray(entries) ? (entries as (AdhocFilter | null)[]) : []) {
    if (!entry || typeof entry !== 'object') continue
    requireTexts(entry)
    const sql = entry.expressionType === 'SQL' && entry.sqlExpression?.trim()
    const isHaving = entry.clause?.toUpperCase() === 'HAVING'
    if (sql) (isHaving ? split.having : split.where).push(parenthesize(sql))
    else if (!isHaving && (entry.expressionType !== 'SQL' || entry.operator === 'TEMPORAL_RANGE')) {
      const filter = toQueryFilter(entry)
      if (filter) split.filters.push(filter)
    }
  }
  return split
}

function toQueryFilter({
  subject,
  operator,
  operatorId,
  comparator,
  isExtra,
  isExact,
}: AdhocFilter): QueryFilter | null {
  const op = operator ?? operators[operatorId ?? '']
  if (!op || !subject) return null
  const val = !operator && operatorId?.startsWith('IS_') && op === '==' ? operatorId === 'IS_TRUE' : comparator
  return {
    col: subject,
    op,
    ...(withoutValue.has(op.toUpperCase()) ? {} : { val: val ?? null }),
    ...(isExtra && { isExtra: true }),
    ...(isExact && { isExact: true }),
  }
}

/** A trailing comment must not include the bracket. */
const parenthesize = (sql: string) => (sql.includes('--') ? `(${sql}\n)` : `(${sql})`)

export const joinConditions = (parts: string[]): Extras['where'] => (parts.length > 0 ? parts.join(' AND ') : undefined)
