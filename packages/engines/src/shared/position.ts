/** Where an error stands: line and column from 1, offset as a JavaScript string index. */
export interface Position {
  line: number
  column: number
  offset: number
  [key: string]: unknown
}

export function positionAt(sql: string, offset: number): Position {
  const before = sql.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n'), offset }
}

/** From an offset in UTF-8 bytes, from 0. */
export const positionInBytes = (sql: string, bytes: number): Position =>
  positionAt(sql, Buffer.from(sql, 'utf8').subarray(0, bytes).toString('utf8').length)

/** From an offset in code points, from 0. */
export function positionInCodePoints(sql: string, points: number): Position {
  let offset = 0
  for (let n = 0; n < points && offset < sql.length; n++) offset += (sql.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1
  return positionAt(sql, offset)
}
