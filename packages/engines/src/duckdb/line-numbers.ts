import { createReadStream } from 'node:fs'

const newline = 10
const carriage = 13

/**
 * Returns the lines of a delimited UTF-8 file at which the wanted records begin. Records are counted as in the engine: empty
 * lines are not records, except in files with one column.
 * @param wanted    record numbers from 0, not counting the header, ascending
 * @param leftOut   true when records with more values than `width` do not count either
 */
export async function findLineNumbers(
  path: string,
  wanted: readonly number[],
  {
    delimiter,
    quote,
    skip,
    header,
    width,
    leftOut,
  }: {
    delimiter: string
    quote: string
    skip: number
    header: boolean
    width: number
    leftOut: boolean
  },
): Promise<number[]> {
  const found: number[] = []
  const cut = delimiter.charCodeAt(0)
  const mark = quote.charCodeAt(0)
  let line = 1
  let startLine = 1
  let record = header ? -1 : 0
  let values = 1
  let isQuoted = false
  let isEmpty = true
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = chunk as Buffer
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index]
      if (byte === mark) {
        isQuoted = !isQuoted
        isEmpty = false
      } else if (byte === newline) {
        line++
        if (isQuoted) continue
        if ((!isEmpty || width === 1) && line > skip + 1 && !(leftOut && values > width)) {
          if (record === wanted[found.length]) found.push(startLine)
          if (found.length === wanted.length) return found
          record++
        }
        startLine = line
        values = 1
        isEmpty = true
      } else if (!isQuoted && byte === cut) {
        values++
        isEmpty = false
      } else if (byte !== carriage) isEmpty = false
    }
  }
  if (!isEmpty && record === wanted[found.length]) found.push(startLine)
  return found
}
