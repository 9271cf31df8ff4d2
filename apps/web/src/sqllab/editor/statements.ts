import { tokensFrom } from '@parquetry/model/lex'

/** The trimmed text between semicolons. */
export interface Statement {
  from: number
  to: number
}

/** The text up to and including a semicolon, or to the end. */
export interface SqlSegment {
  length: number
  /** Offsets of its first and after its last non-blank character, from its beginning. */
  from: number
  to: number
  /** False when it is empty or contains only comments. */
  isCode: boolean
}

/** Yields the pieces from `start`, where one begins. An unclosed quote or comment extends to the end of the text. */
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
 * Updates the pieces after a change: parses the changed ones again, and later ones only as far as the change reaches.
 * @param from   start of the change
 * @param toOld  its end in the old text
 * @param toNew  its end in the new text
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

/** Statements without those that contain only comments. For the editor's display only: the server splits what runs. */
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

/** Returns the statement at the cursor, or the one before it; undefined in a text without statements. */
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
