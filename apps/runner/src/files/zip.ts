import type { Readable } from 'node:stream'
import { AppError } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'
import yauzl, { type Entry, type ZipFile } from 'yauzl'

const maxEntries = 5000
const maxUnpacked = 500 * 2 ** 20
const maxRatio = 200
/** Small archives may exceed the ratio. */
const freeBytes = 10 * 2 ** 20

const archiveError = (text: Message, cause?: unknown) => new AppError('unprocessable', { message: text, cause })
const noWorkbook = message('errors.runner.noWorkbook', 'This file is not a workbook, or it is damaged.')
const damaged = message('errors.runner.workbookDamaged', 'The workbook is damaged.')

/**
 * An archive whose parts are read one at a time. All limits count the bytes that are really unpacked, whatever the archive
 * claims.
 */
export class Zip {
  #zip: ZipFile
  #entries: Map<string, Entry>
  #unpacked = 0
  #limit: number

  private constructor(zip: ZipFile, entries: Map<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
    this.#limit = Math.min(maxUnpacked, Math.max(freeBytes, zip.fileSize * maxRatio))
  }

  /** @throws AppError `unprocessable` */
  static async open(path: string): Promise<Zip> {
    const zip = await new Promise<ZipFile>((resolve, reject) =>
      yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, opened) =>
        error ? reject(error) : resolve(opened),
      ),
    ).catch((error: unknown) => {
      throw archiveError(noWorkbook, error)
    })
    try {
      return new Zip(zip, await readEntries(zip))
    } catch (error) {
      zip.close()
      throw error
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase())
  }

  /** Yields the bytes of a part. @throws AppError `unprocessable` if it is missing, encrypted or larger than the limits */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name.toLowerCase())
    if (!entry)
      throw archiveError(message('errors.runner.workbookPart', 'The workbook is damaged: a part of it is missing.'))
    if (entry.isEncrypted())
      throw archiveError(
        message('errors.runner.workbookEncrypted', 'The workbook is encrypted. Save it without a password.'),
      )
    const stream = await new Promise<Readable>((resolve, reject) =>
      this.#zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
    ).catch((error: unknown) => {
      throw archiveError(damaged, error)
    })
    try {
      for await (const chunk of stream) {
        this.#unpacked += (chunk as Buffer).length
        if (this.#unpacked > this.#limit)
          throw archiveError(
            message(
              'errors.runner.workbookTooLarge',
              'The unpacked workbook is larger than this server can read. Save the sheet as CSV and add that.',
            ),
          )
        yield chunk as Buffer
      }
    } catch (error) {
      throw error instanceof AppError ? error : archiveError(damaged, error)
    } finally {
      stream.destroy()
    }
  }

  close(): void {
    this.#zip.close()
  }
}

function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  const { promise, resolve, reject } = Promise.withResolvers<Map<string, Entry>>()
  zip.on('entry', (entry: Entry) => {
    if (entries.size >= maxEntries)
      return reject(
        archiveError(message('errors.runner.workbookParts', 'The workbook has more parts than this server can read.')),
      )
    entries.set(entry.fileName.toLowerCase(), entry)
    zip.readEntry()
  })
  zip.once('end', () => resolve(entries))
  zip.once('error', (error) => reject(archiveError(noWorkbook, error)))
  zip.readEntry()
  return promise
}
