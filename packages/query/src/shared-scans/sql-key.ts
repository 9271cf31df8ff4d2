import type { Value } from '@parquetry/model'
import type { Dialect } from '../sql/dialect.ts'
import { renderSql } from '../sql/render.ts'
import type { Sql } from '../sql/sql.ts'

/** Text and values of a piece; the same only for equal pieces. */
export function toSqlKey(fragment: Sql, dialect: Dialect): string {
  const { text, values } = renderSql(fragment, dialect)
  return values.length === 0 ? text : `${text} ${JSON.stringify(values satisfies Value[])}`
}
