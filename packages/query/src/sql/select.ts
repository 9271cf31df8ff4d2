import type { Dialect } from './dialect.ts'
import { sql, type Sql } from './sql.ts'

/** Parts of one SELECT; an empty list omits its clause. */
export interface Select {
  columns: { value: Sql; alias: string }[]
  from: Sql
  /** Includes the JOIN keyword. */
  join: Sql | null
  /** Joined with AND; the creator of each condition parenthesizes it if necessary. */
  where: Sql[]
  groupBy: Sql[]
  having: Sql[]
  orderBy: { value: Sql; ascending: boolean }[]
  limit: { rows: number; offset: number } | null
}

/** Writes one clause per line for readability. */
export function selectSql(select: Select, dialect: Dialect): Sql {
  const columns = select.columns.map(({ value, alias }) => sql`${value} AS ${sql.id(alias)}`)
  const order = select.orderBy.map(({ value, ascending }) => dialect.order(value, ascending))
  const clauses = [
    sql`SELECT ${sql.join(columns, ',\n       ')}`,
    sql`FROM ${select.from}`,
    select.join,
    listed(sql`WHERE `, select.where, '\n  AND '),
    listed(sql`GROUP BY `, select.groupBy, ',\n         '),
    listed(sql`HAVING `, select.having, '\n   AND '),
    listed(sql`ORDER BY `, order, ',\n         '),
    select.limit && dialect.limit(select.limit.rows, select.limit.offset),
  ]
  return sql.join(
    clauses.filter((clause) => clause !== null),
    '\n',
  )
}

const listed = (keyword: Sql, fragments: Sql[], separator: string) =>
  fragments.length > 0 ? sql`${keyword}${sql.join(fragments, separator)}` : null
