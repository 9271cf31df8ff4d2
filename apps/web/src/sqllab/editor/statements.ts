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
  let segment = empty
  for (const token of tokensFrom(text, start, dialect)) {
    if (token.kind === 'semicolon') {
      const next = token.start + 1
      yield { ...segment, length: next - start }
      segment = empty
      start = next
      continue
    }
    const isComment = token.text.startsWith('/*') || token.kind === 'comment'
    const reachesEnd = token.kind === 'unclosed' && !isComment
    const tail = reachesEnd ? text.slice(token.start) : token.text
    segment = {
      from: segment === empty ? token.start - start : segment.from,
      to: token.start - start + tail.trimEnd().length,
      isCode: segment.isCode || !isComment,
    }
    if (reachesEnd) break
  }
  yield { ...segment, length: text.length - start }
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
  let oldIndex = first
  let oldStart = start
  let read = start
  for (const segment of segmentsFrom(text, start, dialect)) {
    fresh.push(segment)
    read += segment.length
    while (oldIndex < old.length && (oldStart < toOld || oldStart + toNew - toOld < read))
      oldStart += old[oldIndex++]?.length ?? 0
    if (oldIndex === old.length || oldStart + toNew - toOld !== read || read === text.length) continue
    below = old.slice(oldIndex)
    break
  }
  return [...old.slice(0, first), ...fresh, ...below]
}

const known = new WeakMap<readonly SqlSegment[], Statement[]>()

/** Statements without those that contain only comments. For the editor's display only: the server splits what runs. */
export function listStatements(segments: readonly SqlSegment[]): Statement[] {
  const there = known.get(segments)
  if (there) return there
  const found: Statement[] = []
  let start = 0
  for (const { length, from, to, isCode } of segments) {
    if (isCode) found.push({ from: start + from, to: start + to })
    start += length
  }
  known.set(segments, found)
  return found
}

/** Returns the statement at the cursor, or the one before it; undefined in a text without statements. */
export function statementAt(
  segments: readonly SqlSegment[],
  cursor: number,
): (Statement & { index: number; of: number }) | undefined {
  const all = listStatements(segments)
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
