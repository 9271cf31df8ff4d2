import type { Value } from '@parquetry/model'
import type { Dialect } from './dialect.ts'
import type { Sql } from './sql.ts'

/** What a driver runs: text with the dialect's placeholders and the values in their order. */
export function render(piece: Sql, dialect: Dialect): { text: string; values: Value[] } {
  const values: Value[] = []
  const text = piece.parts.map((part) => {
    if ('text' in part) return part.text
    if ('name' in part) return dialect.quote(part.name)
    values.push(part.value)
    return dialect.placeholder(values.length, part.value)
  })
  return { text: text.join(''), values }
}

/** The same statement for people to read, its values written as literals. Never run. */
export const inline = (piece: Sql, dialect: Dialect): string =>
  piece.parts
    .map((part) =>
      'text' in part ? part.text : 'name' in part ? dialect.quote(part.name) : dialect.literal(part.value),
    )
    .join('')
