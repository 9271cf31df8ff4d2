import { GenericType, type PlannerColumn } from '@parquetry/model'

/** Generic kind of an engine type; null when it is none of the four. */
export function parseGenericType(type: string | null): GenericType | null {
  const name = type?.toUpperCase() ?? ''
  if (name.endsWith(']')) return null
  if (/^(TIMESTAMP|DATETIME|DATE(32)?\b|TIME\b)/.test(name)) return GenericType.TEMPORAL
  if (name.startsWith('BOOL')) return GenericType.BOOLEAN
  if (/^U?(TINY|SMALL|MEDIUM|BIG|HUGE)?INT(EGER|\d+)?\b/.test(name)) return GenericType.NUMERIC
  if (/^(DOUBLE|FLOAT|REAL|NUMERIC|DECIMAL|YEAR|MONEY|SMALLSERIAL|SERIAL|BIGSERIAL)/.test(name))
    return GenericType.NUMERIC
  return /^(VARCHAR|CHAR|(TINY|MEDIUM|LONG)?TEXT|STRING|BPCHAR|NAME|UUID|ENUM|SET\(|CITEXT)/.test(name)
    ? GenericType.STRING
    : null
}

/** Kind of a column's values as stored by the engine: a time stored as a number is a number. */
export const resolveColumnKind = ({ type_generic, type }: PlannerColumn): GenericType | null =>
  parseGenericType(type) ?? type_generic

/** True for types that LIKE accepts without a cast; an enum, UUID or calculated column is cast. */
export const isTextType = ({ type }: Pick<PlannerColumn, 'type'>): boolean =>
  /^(N?VARCHAR|CHARACTER|CHAR|(TINY|MEDIUM|LONG)?TEXT|(VAR_)?STRING|BPCHAR|CITEXT)\b/i.test(type ?? '') &&
  !type!.endsWith(']')
