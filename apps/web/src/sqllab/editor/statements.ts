import { tokensFrom } from '@parquetry/model/lex'

/** What stands between semicolons, without blanks around it. */
export interface Statement {
  from: number
  to: number
}

/** The text up to a semicolon, that included, or to the end. */
export interface SqlSegment {
  length: number
  /** Where its first and after its last sign that is no blank, counted from its beginning. */
  from: number
  to: number
  /** False when it holds comments alone, or nothing. */
  isCode: boolean
}

/** The pieces from `start` on, where one begins. What is not closed reaches to the end of the text, whatever stands in it. */
function* segmentsFrom(text: string, start: number, dialect: string): Generator<SqlSegment> {
  const empty = { from: 0, to: 0, isCode: false }
  let piece = empty
  for (const token of tokensFrom(text, start, dialect)) {
    if (token.kind === 'semicolon') {
      const next = token.start + 1
      yield { ...piece, length: next - start }
      piece = empty
      start = next
      continue
    }
    const isComment = token.text.startsWith('/*') || token.kind === 'comment'
    const reachesEnd = token.kind === 'unclosed' && !isComment
    const tail = reachesEnd ? text.slice(token.start) : token.text
    piece = {
      from: piece === empty ? token.start - start : piece.from,
      to: token.start - start + tail.trimEnd().length,
      isCode: piece.isCode || !isComment,
    }
    if (reachesEnd) break
  }
  yield { ...piece, length: text.length - start }
}

export const parseSegments = (text: string, dialect: string): SqlSegment[] => [...segmentsFrom(text, 0, dialect)]

/**
 * The pieces after a change: those that changed are read again, and those below only as far as the change reaches.
 * @param from   where the change begins
 * @param toOld  where it ends in the text before
 * @param toNew  the same in the text after
 */
export function reparseSegments(
  old: readonly SqlSegment[],
  text: string,
  { from, toOld, toNew }: { from: number; toOld: number; toNew: number },
  dialect: string,
): SqlSegment[] {
  let first = 0
  let start = 0
  for (let end = 0; first < old.length - 1; first++) {
    end += old[first]?.length ?? 0
    if (end > from) break
    start = end
  }
  const fresh: SqlSegment[] = []
  let below: readonly SqlSegment[] = []
  let kept = first
  let keptFrom = start
  let read = start
  for (const piece of segmentsFrom(text, start, dialect)) {
    fresh.push(piece)
    read += piece.length
    while (kept < old.length && (keptFrom < toOld || keptFrom + toNew - toOld < read))
      keptFrom += old[kept++]?.length ?? 0
    if (kept === old.length || keptFrom + toNew - toOld !== read || read === text.length) continue
    below = old.slice(kept)
    break
  }
  return [...old.slice(0, first), ...fresh, ...below]
}

const known = new WeakMap<readonly SqlSegment[], Statement[]>()

/** The statements; what holds comments alone is none. For the editor's own view: what runs is split by the server. */
export function listStatements(pieces: readonly SqlSegment[]): Statement[] {
  const there = known.get(pieces)
  if (there) return there
  const found: Statement[] = []
  let start = 0
  for (const { length, from, to, isCode } of pieces) {
    if (isCode) found.push({ from: start + from, to: start + to })
    start += length
  }
  known.set(pieces, found)
  return found
}

/** The statement that the cursor stands in, or the one before it; undefined in a text without any. */
export function statementAt(
  pieces: readonly SqlSegment[],
  cursor: number,
): (Statement & { index: number; of: number }) | undefined {
  const all = listStatements(pieces)
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
