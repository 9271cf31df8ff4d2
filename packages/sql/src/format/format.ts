import { lex, lexedDialects } from '@parquetry/model/lex'
import { parseClauses, groupBrackets } from './parse.ts'
import { type Piece, splitPieces, maskTemplates } from './pieces.ts'
import { Printer } from './print.ts'

/** Comments in unusual places can move once more after the lines around them have changed. */
const maxRounds = 4

/** Engines whose names are case-sensitive and whose keywords may all be names. */
const caseSensitiveEngines = new Set(['clickhouse'])

function splitStatements(pieces: readonly Piece[]): Piece[][] {
  const statements: Piece[][] = [[]]
  for (const piece of pieces) {
    // A comment on the line of the semicolon belongs to the statement before it.
    const isTrail = piece.kind === 'comment' && !piece.line && statements.length > 1 && statements.at(-1)!.length === 0
    if (isTrail) statements.at(-2)!.push(piece)
    else statements.at(-1)!.push(piece)
    if (piece.kind === 'semicolon') statements.push([])
  }
  return statements.filter((statement) => statement.length > 0)
}

function print(statement: readonly Piece[], printer: Printer): string {
  const end = statement.findLastIndex(({ kind }) => kind === 'semicolon')
  const body = end < 0 ? statement : statement.slice(0, end)
  const text = printer.clauses(parseClauses(groupBrackets(body)), 0)
  if (end < 0) return text
  const trail = statement.slice(end + 1).map((piece) => ` ${piece.text}`)
  return `${text}${body.at(-1)?.endsLine ? '\n' : ''};${trail.join('')}`
}

/**
 * Returns whether both have the same tokens in the same order, ignoring the case of words, with the same breaks between adjacent
 * strings.
 */
function isSame(before: readonly Piece[], after: readonly Piece[] | null): boolean {
  return (
    after?.length === before.length &&
    before.every((piece, index) => {
      const other = after[index]!
      const isText = piece.kind === 'string' && before[index - 1]?.kind === 'string'
      const isWord = piece.kind === 'word' && !piece.template
      return (
        piece.kind === other.kind &&
        (isWord ? piece.word === other.word : piece.text === other.text) &&
        (!isText || (piece.line === other.line && piece.gap === other.gap))
      )
    })
  )
}

const joinTokens = (sql: string, dialect: string): string =>
  lex(sql, dialect)
    .map(({ text }) => text)
    .join('\n\0')

/** Returns whether both texts are the same for every engine that may read them, with and without their templates. */
const isSameAnyway = (before: string, after: string, dialects: readonly string[]): boolean =>
  dialects.every((dialectName) =>
    [(text: string) => text, maskTemplates].every(
      (cut) => joinTokens(cut(before), dialectName) === joinTokens(cut(after), dialectName),
    ),
  )

/**
 * Formats SQL on readable lines: only the space between tokens changes, and keywords are capitalized unless a name may have the
 * same spelling. Comments, quoted text, dollar quotes and templates stay unchanged. Text that cannot be tokenized reliably, or is
 * nested too deeply, is returned unchanged; formatting is idempotent.
 * @param dialect  name of the engine; null if unknown, in which case all tokenizers must agree
 */
export function formatSql(sql: string, dialect: string | null): string {
  try {
    return formatPieces(sql, dialect)
  } catch (error) {
    if (error instanceof RangeError) return sql
    throw error
  }
}

function formatPieces(sql: string, dialect: string | null): string {
  const known = dialect === 'duckdb' ? 'postgresql' : dialect
  const lexDialect = known !== null && lexedDialects.includes(known) ? known : 'postgresql'
  const pieces = splitPieces(sql, lexDialect)
  if (!pieces) return sql
  const printer = new Printer({ capitals: known !== null && !caseSensitiveEngines.has(known) })
  let text = sql
  for (let round = 0; round < maxRounds; round++) {
    const before = splitPieces(text, lexDialect)
    if (!before || !isSame(pieces, before)) return sql
    const after = splitStatements(before)
      .map((statement) => print(statement, printer))
      .join('\n\n')
    if (after === text) return isSameAnyway(sql, text, known === lexDialect ? [lexDialect] : lexedDialects) ? text : sql
    text = after
  }
  return sql
}
