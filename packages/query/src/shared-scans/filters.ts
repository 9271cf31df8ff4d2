import type { Dialect } from '../sql/dialect.ts'
import { sql, Sql } from '../sql/sql.ts'
import type { SharedDimension } from './shareable-query.ts'
import { toSqlKey } from './sql-key.ts'

/** A condition on rows that is as well asked of groups which keep what it looks at. */
export interface SharedFilter {
  /** What the groups have to keep. */
  key: SharedDimension
  /** The condition of what was kept: a key, or for a period one of its times. */
  over(kept: Sql): Sql
}

type Part = Sql['parts'][number]

const isSubject = (part: Part): boolean => 'name' in part || 'byUser' in part
const isSame = (a: Part, b: Part): boolean => JSON.stringify(a) === JSON.stringify(b)

/** One bound of a range of times. */
const bound = /^\(?@\)? (?:>=|<) CAST\(\? AS (?:TIMESTAMP|DATE)\)$/
const midnight = /^\d{4}-\d\d-\d\d(?: 00:00:00(?:\.0+)?)?$/

/**
 * A filter on one column or expression: groups by it keep all that decides. Bounds at midnight are told from days. Null for what looks at
 * more, and for what turns the value into another type, where values that are equal may become different.
 */
export function parseSharedFilter(condition: Sql, dialect: Dialect): SharedFilter | null {
  const { parts } = condition
  const [subject, ...others] = parts.filter(isSubject)
  if (!subject || !others.every((part) => isSame(part, subject))) return null
  const isName = 'name' in subject
  const value = isName ? new Sql([subject]) : sql`(${new Sql([subject])})`
  const over = (kept: Sql) => new Sql(parts.flatMap((part) => (isSubject(part) ? kept.parts : [part])))
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
