/** A piece of the text between semicolons, without blanks around it. */
export interface Statement {
  from: number
  to: number
}

/** How a dialect writes texts and comments. */
export interface Quoting {
  /** `\'` inside of texts. */
  backslash: boolean
  /** `# comment`. */
  hash: boolean
  /** `$tag$ text $tag$`. */
  dollar: boolean
  /** `/* one /* inside * / the other * /`. */
  nested: boolean
}

export const ansiQuoting: Quoting = { backslash: false, hash: false, dollar: true, nested: true }

/**
 * One line as the reader leaves it. `enter` and `exit` say what is open at its ends: '' for nothing, else the quote, the dollar
 * tag, or a `/*` for each open comment.
 */
export interface Line {
  length: number
  enter: string
  exit: string
  /** What stands between semicolons: its first and last sign that is no blank (-1 for none), and whether any is no comment. */
  pieces: readonly { first: number; last: number; isCode: boolean }[]
}

const openings: Readonly<Record<'plain' | 'dollar', RegExp>> = {
  plain: /'|"|`|--|#|\/\*|;|[^\s]/g,
  dollar: /'|"|`|--|#|\/\*|\$(?:[A-Za-z_]\w*)?\$|;|[^\s]/g,
}

/** Reads one line, going on in what was open at its beginning. */
function readLine(text: string, enter: string, quoting: Quoting): Line {
  const pieces: { first: number; last: number; isCode: boolean }[] = []
  let piece = { first: -1, last: -1, isCode: false }
  const saw = (from: number, to: number, isCode: boolean): void => {
    if (to <= from) return
    const rest = text.slice(from, to).trimEnd().length
    if (rest === 0) return
    if (piece.first < 0) piece.first = from
    piece.last = from + rest - 1
    piece.isCode ||= isCode
  }
  let open = enter
  let at = 0
  const opening = openings[quoting.dollar ? 'dollar' : 'plain']
  while (at < text.length) {
    if (open !== '') {
      const { end, left } = endOf(text, at, open, quoting)
      saw(at, end, !open.startsWith('/*'))
      at = end
      open = left
      continue
    }
    opening.lastIndex = at
    const match = opening.exec(text)
    if (!match) break
    const [mark] = match
    at = match.index
    if (mark === '--' || (mark === '#' && quoting.hash)) {
      saw(at, text.length, false)
      break
    }
    if (mark === ';') {
      pieces.push(piece)
      piece = { first: -1, last: -1, isCode: false }
      at++
    } else if (mark === '/*' || (/^['"`$]/.test(mark) && (mark !== '$' || mark.length > 1))) {
      saw(at, at + mark.length, mark !== '/*')
      open = mark === "'" && /[eE]$/.test(text.slice(Math.max(0, at - 1), at)) ? "e'" : mark
      at += mark.length
    } else {
      saw(at, at + 1, true)
      at++
    }
  }
  pieces.push(piece)
  return { length: text.length, enter, exit: open, pieces }
}

/** Where what is open ends in this line, and what is still open after that. */
function endOf(text: string, at: number, open: string, quoting: Quoting): { end: number; left: string } {
  if (open.startsWith('/*')) {
    let left = open
    const mark = /\/\*|\*\//g
    mark.lastIndex = at
    for (let match = mark.exec(text); match; match = mark.exec(text)) {
      if (match[0] === '*/') left = left.slice(2)
      else if (quoting.nested) left += '/*'
      if (left === '') return { end: match.index + 2, left }
    }
    return { end: text.length, left }
  }
  if (open.startsWith('$')) {
    const end = text.indexOf(open, at)
    return end < 0 ? { end: text.length, left: open } : { end: end + open.length, left: '' }
  }
  const quote = open.at(-1) as string
  const escapes = open === "e'" || (quoting.backslash && open !== '`')
  for (let end = at; end < text.length; end++) {
    if (escapes && text[end] === '\\') end++
    else if (text[end] === quote) {
      if (text[end + 1] !== quote) return { end: end + 1, left: '' }
      end++
    }
  }
  return { end: text.length, left: open }
}

/** Lines of a text by their number, from 1, as the editor has them. */
export interface Lines {
  lines: number
  line(number: number): { text: string }
}

export function readLines(doc: Lines, quoting: Quoting): Line[] {
  const read: Line[] = []
  let open = ''
  for (let number = 1; number <= doc.lines; number++) {
    const line = readLine(doc.line(number).text, open, quoting)
    read.push(line)
    open = line.exit
  }
  return read
}

/**
 * The lines after a change: those that changed are read again, and those below only as far as the change reaches.
 * @param first    number of the first changed line
 * @param lastOld  number of the last changed line in the text before
 * @param lastNew  the same in the text after
 */
export function rereadLines(
  old: readonly Line[],
  doc: Lines,
  { first, lastOld, lastNew }: { first: number; lastOld: number; lastNew: number },
  quoting: Quoting,
): Line[] {
  const fresh: Line[] = []
  let open = old[first - 2]?.exit ?? ''
  for (let number = first; number <= lastNew; number++) {
    const line = readLine(doc.line(number).text, open, quoting)
    fresh.push(line)
    open = line.exit
  }
  let kept = lastOld
  while (kept < old.length && old[kept]?.enter !== open) {
    const line = readLine(doc.line(first + fresh.length).text, open, quoting)
    fresh.push(line)
    open = line.exit
    kept++
  }
  return [...old.slice(0, first - 1), ...fresh, ...old.slice(kept)]
}

const known = new WeakMap<readonly Line[], Statement[]>()

/** The statements; what holds comments alone is none. For the editor's own view: what runs is split by the server. */
export function statementsOf(lines: readonly Line[]): Statement[] {
  const there = known.get(lines)
  if (there) return there
  const found: Statement[] = []
  let from = -1
  let to = -1
  let isCode = false
  let start = 0
  for (const { pieces, length } of lines) {
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) {
        if (isCode) found.push({ from, to })
        from = -1
        isCode = false
      }
      if (piece.first < 0) continue
      if (from < 0) from = start + piece.first
      to = start + piece.last + 1
      isCode ||= piece.isCode
    }
    start += length + 1
  }
  if (isCode) found.push({ from, to })
  known.set(lines, found)
  return found
}

/** The statement that the cursor stands in, or the one before it; undefined in a text without any. */
export function statementAt(
  lines: readonly Line[],
  cursor: number,
): (Statement & { index: number; of: number }) | undefined {
  const all = statementsOf(lines)
  let low = 0
  let high = all.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((all[middle] as Statement).from <= cursor) low = middle
    else high = middle - 1
  }
  const statement = all[low]
  return statement && { ...statement, index: low, of: all.length }
}
