import type { Dialect } from '../sql/dialect.ts'
import { sql, Sql } from '../sql/sql.ts'
import type { SharedDimension } from './shareable-query.ts'
import { toSqlKey } from './sql-key.ts'

/** Condition on rows that can equally be applied to groups, if these keep the value that it tests. */
export interface SharedFilter {
  /** Key that the groups must keep. */
  key: SharedDimension
  /** Applies the condition to the stored value: a key, or one of the times of a period. */
  over(column: Sql): Sql
}

type Part = Sql['parts'][number]

const isSubject = (part: Part): boolean => 'name' in part || 'byUser' in part
const isSame = (a: Part, b: Part): boolean => JSON.stringify(a) === JSON.stringify(b)

/** One bound of a time range. */
const bound = /^\(?@\)? (?:>=|<) CAST\(\? AS (?:TIMESTAMP|DATE)\)$/
const midnight = /^\d{4}-\d\d-\d\d(?: 00:00:00(?:\.0+)?)?$/

/**
 * Shareable form of a filter on one column or expression, whose groups keep everything it depends on. Bounds at midnight only
 * require days. Null for other filters, and for those that convert the value to another type, because equal values may become
 * different.
 */
export function parseSharedFilter(condition: Sql, dialect: Dialect): SharedFilter | null {
  const { parts } = condition
  const [subject, ...others] = parts.filter(isSubject)
  if (!subject || !others.every((part) => isSame(part, subject))) return null
  const isName = 'name' in subject
  const value = isName ? new Sql([subject]) : sql`(${new Sql([subject])})`
  const over = (column: Sql) => new Sql(parts.flatMap((part) => (isSubject(part) ? column.parts : [part])))
  const text = toSqlKey(value, dialect)
  const form = parts.map((part) => ('value' in part ? '?' : isSubject(part) ? '@' : 'text' in part ? part.text : ''))
  if (!form.join('').includes('CAST('))
    return { key: { alias: '', value, group: value, key: text, period: null }, over }
  const isDay = parts.every(
    (part) => !('value' in part) || (typeof part.value === 'string' && midnight.test(part.value)),
  )
  if (!isDay || !bound.test(form.join(''))) return null
  const period = { time: value, grain: 'P1D', key: `period of ${text}` }
  return { key: { alias: '', value, group: value, key: text, period }, over }
}
