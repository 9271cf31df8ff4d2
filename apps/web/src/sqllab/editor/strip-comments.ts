import type { Quoting } from './statements.ts'

const marks = /'|"|`|--|#|\/\*|\$(?:[A-Za-z_]\w*)?\$/g

/**
 * SQL without its comments (SQL-075): blanks stand in their place, so that the position of an error stays the same. Texts and
 * names in quotes are left alone, and so are hints, which begin with a plus and which databases read.
 */
export function stripComments(sql: string, quoting: Quoting): string {
  let out = ''
  let at = 0
  marks.lastIndex = 0
  for (let match = marks.exec(sql); match; match = marks.exec(sql)) {
    const [mark] = match
    const end = endOf(sql, match.index, mark, quoting)
    if (end === null) {
      marks.lastIndex = match.index + 1
      continue
    }
    const isComment = ['--', '#', '/*'].includes(mark) && sql[match.index + 2] !== '+'
    out += sql.slice(at, match.index)
    const piece = sql.slice(match.index, end)
    out += isComment ? piece.replaceAll(/[^\n]/g, ' ') : piece
    at = end
    marks.lastIndex = end
  }
  return (out + sql.slice(at)).trimEnd()
}

/** Null when the mark opens nothing in this dialect. */
function endOf(sql: string, from: number, mark: string, quoting: Quoting): number | null {
  if (mark === '#' && !quoting.hash) return null
  if (mark === '--' || mark === '#') {
    const end = sql.indexOf('\n', from)
    return end < 0 ? sql.length : end
  }
  if (mark === '/*') {
    const bounds = /\/\*|\*\//g
    bounds.lastIndex = from + 2
    let depth = 1
    for (let match = bounds.exec(sql); match; match = bounds.exec(sql)) {
      if (match[0] === '*/') depth--
      else if (quoting.nested) depth++
      if (depth === 0) return match.index + 2
    }
    return sql.length
  }
  if (mark.startsWith('$')) {
    if (!quoting.dollar) return null
    const end = sql.indexOf(mark, from + mark.length)
    return end < 0 ? sql.length : end + mark.length
  }
  const escapes =
    (quoting.backslash && mark !== '`') || (mark === "'" && /[eE]/.test(sql[from - 1] ?? '') && quoting.dollar)
  for (let end = from + 1; end < sql.length; end++) {
    if (escapes && sql[end] === '\\') end++
    else if (sql[end] === mark) {
      if (sql[end + 1] !== mark) return end + 1
      end++
    }
  }
  return sql.length
}
