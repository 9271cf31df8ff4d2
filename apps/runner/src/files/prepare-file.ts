import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import type { FileToLoad } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { Workbook } from './workbook.ts'

const labels = { 'utf-16le': 'utf-16le', 'utf-16be': 'utf-16be', 'latin-1': 'windows-1252' } as const

/**
 * Prepares a file for the engine: CSV and JSON in another encoding become UTF-8, a sheet becomes CSV, other files are used as
 * they are.
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
  const isForeign = style.encoding !== 'utf-8' && (style.format === 'csv' || style.format === 'json')
  if (!isForeign && style.format !== 'xlsx') return { file, remove: async () => {} }
  try {
    if (style.format === 'xlsx') await writeLines(path, writeSheet(file), signal)
    else await writeLines(path, writeDecoded(file.path, style.encoding as keyof typeof labels), signal)
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

const writeDecoded =
  (path: string, encoding: keyof typeof labels) =>
  async (write: Write): Promise<void> => {
    const decoder = new TextDecoder(labels[encoding])
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }))
      await write(decoder.decode(chunk as Buffer, { stream: true }))
    await write(decoder.decode())
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
