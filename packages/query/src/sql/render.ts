import { AppError, type Value } from '@parquetry/model'
import { findClauseProblem, closeClause } from './check-sql-text.ts'
import type { Dialect } from './dialect.ts'
import type { Sql } from './sql.ts'

/**
 * Statement for a driver: text with the dialect's placeholders, and the values in order.
 * @throws AppError `invalid_query` for user SQL that is not closed under the rules of this engine
 */
export function renderSql(fragment: Sql, dialect: Dialect): { text: string; values: Value[] } {
  const values: Value[] = []
  const text = fragment.parts.map((part) => {
    if ('text' in part) return 'byUser' in part ? renderUserText(part.text, dialect) : part.text
    if ('name' in part) return dialect.quote(part.name)
    values.push(part.value)
    return dialect.placeholder(values.length, part.value)
  })
  return { text: text.join(''), values }
}

/** Same statement with values as literals, for display. Never executed. */
export const inlineValues = (fragment: Sql, dialect: Dialect): string =>
  fragment.parts
    .map((part) =>
      'text' in part
        ? renderText(part, dialect)
        : 'name' in part
          ? dialect.quote(part.name)
          : dialect.literal(part.value),
    )
    .join('')

const renderText = (part: { text: string; byUser?: true }, { name }: Dialect): string =>
  part.byUser ? closeClause(part.text, name) : part.text

function renderUserText(text: string, { name }: Dialect): string {
  const problem = findClauseProblem(text, name)
  if (problem) throw new AppError('invalid_query', { message: `Error: ${problem}` })
  return closeClause(text, name)
}
