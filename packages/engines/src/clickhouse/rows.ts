import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { AppError } from '@parquetry/model/errors'
import { toConnectError } from '../shared/connect-error.ts'
import { resultTooLarge } from '../shared/too-large.ts'
import { clickhouseError, isException } from './errors.ts'

/**
 * Yields the rows of a response with one JSON list per line, as many as each chunk completes. The status is sent before the last
 * row is known, so later errors appear in the body, as a line that is not a list.
 * @param sql       text as the user wrote it, for error positions
 * @param lineBytes maximum length of a line
 * @throws AppError `query_failed` and others with the server's message; `connection_failed` when the response ends in the middle
 * of a line
 */
export async function* readRowBatches(
  stream: Readable,
  sql: string | null,
  lineBytes: number,
): AsyncGenerator<unknown[][]> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let errorText: string | null = null
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const text = decoder.write(chunk)
      if (errorText !== null) {
        errorText += text
        if (errorText.length > lineBytes) throw resultTooLarge(lineBytes)
        continue
      }
      const end = text.lastIndexOf('\n')
      if (end < 0) {
        rest += text
        if (rest.length > lineBytes) throw resultTooLarge(lineBytes)
        continue
      }
      const lines = (rest + text.slice(0, end)).split('\n')
      rest = text.slice(end + 1)
      const odd = lines.findIndex((line) => !line.startsWith('['))
      if (odd >= 0) errorText = [...lines.slice(odd), rest].join('\n')
      const lists = parseRows(odd < 0 ? lines : lines.slice(0, odd))
      if (lists === null) errorText = [...lines, rest].join('\n')
      else if (lists.length > 0) yield lists
    }
  } catch (error) {
    throw toConnectError(error)
  }
  const tail = errorText ?? rest
  if (isException(tail)) throw clickhouseError(extractException(tail), sql)
  if (errorText !== null ? !isTotals(tail) : rest !== '')
    throw new AppError('connection_failed', { cause: new Error(`the response ends with: ${tail.slice(0, 200)}`) })
}

/** Null if a row is incomplete. */
function parseRows(lines: readonly string[]): unknown[][] | null {
  try {
    return JSON.parse(`[${lines.join(',')}]`) as unknown[][]
  } catch {
    return null
  }
}

/** True for the totals and extremes that a statement requested. They follow an empty line and are not part of the result. */
const isTotals = (tail: string): boolean =>
  tail.startsWith('\n') && tail.split('\n').every((line) => line === '' || (line.startsWith('[') && line.endsWith(']')))

/** Extracts the exception at the end of a response. Since 25.11 the server marks its start and end. */
const extractException = (text: string): string =>
  /Code: \d+\. DB::Exception: [^]*?(?=\n\d+ [0-9a-z]+\r?\n__exception__|$)/.exec(text)?.[0] ?? text
