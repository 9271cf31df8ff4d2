import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import type { FileToLoad } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { createDecoder, type FileEncoding } from '@parquetry/model/table-file/encoding'
import { Workbook } from './workbook.ts'

/**
 * Prepares a file for the engine: CSV and JSON in another encoding become UTF-8 with one kind of line ends, a sheet becomes CSV,
 * other files are used as they are.
 * @param folder  for the written file; it is deleted with the process
 * @returns the file to read, and a function that removes it if it was written here
 */
export async function prepareFile(
  file: FileToLoad,
  folder: string,
  signal: AbortSignal,
): Promise<{ file: FileToLoad; remove: () => Promise<void> }> {
  const { style } = file
  const path = join(folder, `${randomUUID()}.csv`)
  const remove = () => rm(path, { force: true })
  const isText = style.format === 'csv' || style.format === 'json'
  const isRewritten = isText && (style.encoding !== 'utf-8' || (await hasOddities(file)))
  if (!isRewritten && style.format !== 'xlsx') return { file, remove: async () => {} }
  try {
    if (style.format === 'xlsx') await writeLines(path, writeSheet(file), signal)
    else await writeLines(path, writeDecoded(file), signal)
  } catch (error) {
    await remove()
    throw error
  }
  const plain = { ...style, encoding: 'utf-8' as const }
  return {
    file: { ...file, path, style: style.format === 'xlsx' ? { ...plain, skip: 0, delimiter: ',', quote: '"' } : plain },
    remove,
  }
}

type Write = (text: string) => Promise<void>

async function writeLines(path: string, produce: (write: Write) => Promise<void>, signal: AbortSignal): Promise<void> {
  const out = createWriteStream(path, { mode: 0o600 })
  const failed = once(out, 'error').then(([error]) => {
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? new AppError('disk_full', { cause: error }) : error
  })
  failed.catch(() => {})
  const write = async (text: string) => {
    signal.throwIfAborted()
    if (!out.write(text)) await Promise.race([once(out, 'drain'), failed])
  }
  try {
    await Promise.race([produce(write), failed])
    out.end()
    await Promise.race([once(out, 'close'), failed])
  } finally {
    out.destroy()
  }
}

/** True for what the engine does not read: a byte order mark in JSON, and CSV with several kinds of line ends. */
async function hasOddities({ path, style }: FileToLoad): Promise<boolean> {
  const lineEnds = new Set<'\n' | '\r' | '\r\n'>()
  let isAfterReturn = false
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = chunk as Buffer
    if (style.format === 'json') return bytes.subarray(0, 3).toString('hex') === 'efbbbf'
    if (isAfterReturn) lineEnds.add(bytes[0] === newline ? '\r\n' : '\r')
    for (
      let index = bytes.indexOf(newline, isAfterReturn ? 1 : 0);
      index >= 0;
      index = bytes.indexOf(newline, index + 1)
    ) {
      lineEnds.add(index > 0 && bytes[index - 1] === carriageReturn ? '\r\n' : '\n')
      if (lineEnds.size > 1) return true
    }
    for (
      let index = bytes.indexOf(carriageReturn);
      index >= 0 && index < bytes.length - 1;
      index = bytes.indexOf(carriageReturn, index + 1)
    ) {
      if (bytes[index + 1] !== newline) lineEnds.add('\r')
      if (lineEnds.size > 1) return true
    }
    isAfterReturn = bytes.at(-1) === carriageReturn
  }
  return lineEnds.size > 1
}

const newline = 10
const carriageReturn = 13

/** Writes line breaks outside of quotes as one character. */
function createLineEndNormalizer(quote: string): (text: string) => string {
  let isQuoted = false
  let isAfterReturn = false
  return (text) => {
    // The other half of a line break that began at the end of the last part.
    const rest = isAfterReturn && text.startsWith('\n') ? text.slice(1) : text
    isAfterReturn = false
    const parts = (quote === '' ? [rest] : rest.split(quote)).map((part, index) => {
      if (index > 0) isQuoted = !isQuoted
      return isQuoted ? part : part.replaceAll(/\r\n?/g, '\n')
    })
    if (!isQuoted && text.endsWith('\r')) isAfterReturn = true
    return parts.join(quote)
  }
}

/** @throws AppError `unprocessable` with the line of the first bytes that are not valid in the encoding */
const writeDecoded =
  ({ path, style: { format, encoding, quote } }: FileToLoad) =>
  async (write: Write): Promise<void> => {
    const decoder = createDecoder(encoding, true)
    const normalize = format === 'csv' ? createLineEndNormalizer(quote) : (text: string) => text
    let line = 1
    for await (const chunk of createReadStream(path, { highWaterMark: decodedBytes })) {
      const text = decodeChunk(chunk as Buffer)
      line += countLines(text)
      await write(normalize(text))
    }
    await write(normalize(decodeChunk()))

    function decodeChunk(bytes?: Buffer): string {
      try {
        return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
      } catch {
        throw new AppError('unprocessable', {
          message: message(
            'errors.runner.wrongEncoding',
            'Line {line, number} is not valid in the encoding {encoding}. Choose another encoding.',
            { line: line + countValidLines(bytes, encoding), encoding },
          ),
        })
      }
    }
  }

const decodedBytes = 1 << 16
const countLines = (text: string): number => text.split('\n').length - 1

/** Number of lines before the first invalid bytes of a chunk. */
function countValidLines(bytes: Buffer | undefined, encoding: FileEncoding): number {
  const [before = ''] = createDecoder(encoding).decode(bytes).split('\uFFFD')
  return countLines(before)
}

const quoteCsv = (value: string): string => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** Rows are padded to the width of the heading; cells to the right of it stay, so that the engine finds them. */
const writeSheet =
  ({ path, style, width }: FileToLoad) =>
  async (write: Write): Promise<void> => {
    const workbook = await Workbook.open(path)
    try {
      await workbook.rows(style.sheet, async (row, values) => {
        if (row <= style.skip) return
        const padded = values.length < width ? [...values, ...Array<string>(width - values.length).fill('')] : values
        // An empty line would not be a record.
        await write(
          `${padded.length === 1 ? `"${(padded[0] ?? '').replaceAll('"', '""')}"` : padded.map(quoteCsv).join(',')}\n`,
        )
      })
    } finally {
      workbook.close()
    }
  }
