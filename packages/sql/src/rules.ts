import type { InspectedStatement, Inspection } from '@parquetry/model'

/** True when the text parsed and every statement only reads; an empty text reads nothing and is none. */
export const isReadOnly = ({ error, statements }: Inspection): boolean =>
  error === null && statements.length > 0 && statements.every(({ readOnly }) => readOnly)

export interface TableName {
  catalog: string | null
  schema: string | null
  name: string
}

/** Every table that any statement reads or writes, each once, in the order in which they appear. */
export function listTables({ statements }: Inspection): TableName[] {
  const found = new Map<string, TableName>()
  for (const { catalog, schema, name } of statements.flatMap(({ tables }) => tables)) {
    const key = JSON.stringify([catalog, schema, name])
    if (!found.has(key)) found.set(key, { catalog, schema, name })
  }
  return [...found.values()]
}

/**
 * The statement's text with at most `rows` rows: ` LIMIT` is put at its end, or a larger limit of its own is replaced where it
 * stands. Nothing else of the text changes, and what takes no limit (SHOW, `LIMIT 10%`, a computed one) stays as it is.
 * @param sql the whole text that was inspected
 */
export function spliceLimit(sql: string, statement: InspectedStatement, rows: number): string {
  const [start, end] = statement.span
  const { ownLimit, limitSpan, takesLimit } = statement
  if (ownLimit !== null && limitSpan !== null && ownLimit > rows)
    return `${sql.slice(start, limitSpan[0])}${rows}${sql.slice(limitSpan[1], end)}`
  return takesLimit ? `${sql.slice(start, end)}\nLIMIT ${rows}` : sql.slice(start, end)
}
