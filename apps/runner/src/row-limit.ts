import type { Session } from '@parquetry/engines/drivers'
import type { InspectedStatement } from '@parquetry/model'
import { spliceLimit, tokenizeSql } from '@parquetry/sql'

/** Text of a statement, and the number of rows after which reading ends; null if the result ends itself. */
export interface RowLimitedText {
  text: string
  after: number | null
}

/**
 * Limits a text to `rows` rows and one more. An engine that knows a limit computes all rows before it returns the first, which
 * pays off only for a sort or an offset. If rows are streamed, a limit at the end of the text is removed, and reading stops
 * there.
 * @param streamedFrom larger results are streamed
 */
export function applyRowLimit(
  text: string,
  statement: InspectedStatement,
  rows: number,
  streamedFrom: number,
): RowLimitedText {
  const { ownLimit, takesLimit, hasOrder } = statement
  const limited = { text: spliceLimit(text, statement, rows + 1), after: null }
  if (hasOrder || rows <= streamedFrom) return limited
  if (takesLimit) return { text, after: null }
  // The session is passed the number of rows minus one.
  if (ownLimit === null || ownLimit - 1 <= streamedFrom) return limited
  const bare = withoutLimit(text, statement)
  return bare === null ? limited : { text: bare, after: ownLimit > rows ? null : ownLimit }
}

/** @returns null unless the text ends with `LIMIT` and a number that limits the whole and follows no OFFSET */
function withoutLimit(text: string, { limitSpan }: InspectedStatement): string | null {
  const tokens = tokenizeSql(text, 'duckdb').filter(({ kind }) => kind !== 'semicolon')
  const [number, limit] = [tokens.at(-1), tokens.at(-2)]
  const isLast =
    limitSpan !== null && number?.start === limitSpan[0] && limit?.kind === 'word' && limit.text === 'LIMIT'
  return isLast && tokens.at(-4)?.text !== 'OFFSET' ? text.slice(0, limit.start) : null
}

/** Wraps the session to return only the first rows of what it runs. */
export const limitRows = (session: Session, rows: number): Session => ({
  run: (statement, limits) => session.run(statement, { ...limits, rows: Math.min(limits.rows, rows - 1) }),
  cancel: () => session.cancel(),
  describe: (request) => session.describe(request),
  close: () => session.close(),
})
