import type { InspectedStatement, Inspection } from '@parquetry/model'

/** Returns whether the text was parsed and every statement is read-only; false for an empty text. */
export const isReadOnly = ({ error, statements }: Inspection): boolean =>
  error === null && statements.length > 0 && statements.every(({ readOnly }) => readOnly)

export interface TableName {
  catalog: string | null
  schema: string | null
  name: string
}

/** All tables that the statements read or write, without duplicates, in order of appearance. */
export function listTables({ statements }: Inspection): TableName[] {
  const found = new Map<string, TableName>()
  for (const { catalog, schema, name } of statements.flatMap(({ tables }) => tables)) {
    const key = JSON.stringify([catalog, schema, name])
    if (!found.has(key)) found.set(key, { catalog, schema, name })
  }
  return [...found.values()]
}

/**
 * Limits a statement to `rows` rows: appends ` LIMIT`, or replaces a larger limit in place. The rest of the text stays unchanged,
 * and statements without a replaceable limit (SHOW, `LIMIT 10%`, a computed one) are returned as they are.
 * @param sql the whole inspected text
 */
export function spliceLimit(sql: string, statement: InspectedStatement, rows: number): string {
  const [start, end] = statement.span
  const { ownLimit, limitSpan, takesLimit } = statement
  if (ownLimit !== null && limitSpan !== null && ownLimit > rows)
    return `${sql.slice(start, limitSpan[0])}${rows}${sql.slice(limitSpan[1], end)}`
  return takesLimit ? `${sql.slice(start, end)}\nLIMIT ${rows}` : sql.slice(start, end)
}
