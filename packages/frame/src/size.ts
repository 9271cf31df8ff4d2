import { isText } from './cells.ts'
import type { Frame, PlainText } from './frame.ts'

/**
 * Counts the bytes of frames as they arrive; words shared between frames count once.
 * @returns a function that adds a frame and returns the sum so far
 */
export function createByteCounter(): (frame: Frame) => number {
  const seen = new WeakSet<PlainText>()
  let bytes = 0
  const countTexts = (text: PlainText): void => {
    if (seen.has(text)) return
    seen.add(text)
    bytes += text.bytes.byteLength + text.offsets.byteLength
  }
  return ({ columns }) => {
    for (const column of columns) {
      if (!isText(column)) bytes += column.data.byteLength
      else if (column.text.as === 'plain') countTexts(column.text)
      else {
        bytes += column.text.codes.byteLength
        countTexts(column.text.words)
      }
    }
    return bytes
  }
}
