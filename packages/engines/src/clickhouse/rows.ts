import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { AppError } from '@parquetry/model/errors'
import { toConnectError } from '../shared/connect-error.ts'
import { resultTooLarge } from '../shared/too-large.ts'
import { clickhouseError, isException } from './errors.ts'

/**
 * Lists of values of an answer of one JSON list a line, as many as each piece of it brings. The status of an answer is sent
 * before the last row is known, so what goes wrong later stands in its body, where a line is no list.
 * @param sql       the text that was asked, for the place of an error
 * @param lineBytes largest line
 * @throws AppError `query_failed` and others in the server's words; `connection_failed` when it ends in the middle of a line
 */
export async function* readRowBatches(
  stream: Readable,
  sql: string | null,
  lineBytes: number,
): AsyncGenerator<unknown[][]> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let said: string | null = null
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const text = decoder.write(chunk)
      if (said !== null) {
        said += text
        if (said.length > lineBytes) throw resultTooLarge(lineBytes)
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
      if (odd >= 0) said = [...lines.slice(odd), rest].join('\n')
      const lists = parseRows(odd < 0 ? lines : lines.slice(0, odd))
      if (lists === null) said = [...lines, rest].join('\n')
      else if (lists.length > 0) yield lists
    }
  } catch (error) {
    throw toConnectError(error)
  }
  const tail = said ?? rest
  if (isException(tail)) throw clickhouseError(extractException(tail), sql)
  if (said !== null ? !isTotals(tail) : rest !== '')
    throw new AppError('connection_failed', { cause: new Error(`the response ends with: ${tail.slice(0, 200)}`) })
}

/** Null where a row was broken off. */
function parseRows(lines: readonly string[]): unknown[][] | null {
  try {
    return JSON.parse(`[${lines.join(',')}]`) as unknown[][]
  } catch {
    return null
  }
}

/** Behind an empty line stand the totals and extremes that a statement asked for: rows, but none of the result. */
const isTotals = (tail: string): boolean =>
  tail.startsWith('\n') && tail.split('\n').every((line) => line === '' || (line.startsWith('[') && line.endsWith(']')))

/** Of an answer's end: since 25.11 the server frames the words by a mark, before it only wrote them. */
const extractException = (text: string): string =>
  /Code: \d+\. DB::Exception: [^]*?(?=\n\d+ [0-9a-z]+\r?\n__exception__|$)/.exec(text)?.[0] ?? text
