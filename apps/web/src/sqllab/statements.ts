/** A piece of the text between semicolons, without blanks around it. */
export interface Statement {
  from: number
  to: number
  text: string
}

const opening = /'|"|`|--|\/\*|\$[A-Za-z_]*\$|;/g

/** Where the quoted or commented piece that begins at `from` ends. */
function endOf(sql: string, from: number, mark: string): number {
  if (mark === '--') return ended(sql.indexOf('\n', from), sql, 0)
  if (mark === '/*') return ended(sql.indexOf('*/', from + 2), sql, 2)
  if (mark.startsWith('$')) return ended(sql.indexOf(mark, from + mark.length), sql, mark.length)
  for (let at = from + 1; ; at += 2) {
    at = sql.indexOf(mark, at)
    if (at < 0) return sql.length
    if (sql[at + 1] !== mark) return at + 1
  }
}
const ended = (at: number, sql: string, width: number): number => (at < 0 ? sql.length : at + width)

/**
 * Cuts a text at its semicolons; those in quotes, comments and dollar quotes do not count. For the editor's own view only: what
 * runs is split by the engine's parser on the server.
 */
export function statementsOf(sql: string): Statement[] {
  const found: Statement[] = []
  let start = 0
  const push = (end: number): void => {
    const text = sql.slice(start, end)
    const from = start + (text.length - text.trimStart().length)
    if (text.trim()) found.push({ from, to: from + text.trim().length, text: text.trim() })
    start = end + 1
  }
  opening.lastIndex = 0
  for (let match = opening.exec(sql); match; match = opening.exec(sql)) {
    if (match[0] === ';') push(match.index)
    else opening.lastIndex = endOf(sql, match.index, match[0])
  }
  push(sql.length)
  return found
}

/** The statement that the cursor stands in, or the one before it; undefined in an empty text. */
export function statementAt(sql: string, cursor: number): (Statement & { index: number; of: number }) | undefined {
  const all = statementsOf(sql)
  let index = all.findLastIndex(({ from }) => from <= cursor)
  if (index < 0) index = 0
  const statement = all[index]
  return statement && { ...statement, index, of: all.length }
}
