import type { Dialect } from '@parquetry/query'

/** Fields that contain user-written SQL. */
const sqlFields = new Set(['expression', 'sqlExpression', 'sql', 'where', 'having', 'clause'])

/** Converts the double-quoted names in the SQL of a query or dataset to the quotes of the engine. */
export function quoteForDialect<T>(value: T, dialect: Dialect, field = ''): T {
  if (typeof value === 'string')
    return (sqlFields.has(field) ? value.replace(/"([^"]+)"/g, (_, name: string) => dialect.quote(name)) : value) as T &
      string
  if (Array.isArray(value)) return value.map((item: unknown) => quoteForDialect(item, dialect)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, quoteForDialect(item, dialect, key)])) as T
}
