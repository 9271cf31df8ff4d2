import type { Readable } from 'node:stream'
import { AppError } from '@parquetry/model/errors'
import yauzl, { type Entry, type ZipFile } from 'yauzl'

const maxEntries = 5000
const maxUnpacked = 500 * 2 ** 20
const maxRatio = 200
/** Small archives may be packed better than the ratio allows. */
const freeBytes = 10 * 2 ** 20

const broken = (message: string, cause?: unknown) => new AppError('unprocessable', { message, cause })

/** An archive whose parts are read one at a time. All limits count what really comes out, whatever the archive claims. */
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
      throw broken('This is no workbook, or it is damaged.', error)
    })
    try {
      return new Zip(zip, await entriesOf(zip))
    } catch (error) {
      zip.close()
      throw error
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase())
  }

  /** The bytes of a part. @throws AppError `unprocessable` when it is missing, encrypted or larger than the limits */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name.toLowerCase())
    if (!entry) throw broken('The workbook is damaged: a part of it is missing.')
    if (entry.isEncrypted()) throw broken('The workbook is encrypted. Save it without a password.')
    const stream = await new Promise<Readable>((resolve, reject) =>
      this.#zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
    ).catch((error: unknown) => {
      throw broken('The workbook is damaged.', error)
    })
    try {
      for await (const chunk of stream) {
        this.#unpacked += (chunk as Buffer).length
        if (this.#unpacked > this.#limit)
          throw broken('The workbook is larger inside than this server reads. Save the sheet as CSV and add that.')
        yield chunk as Buffer
      }
    } catch (error) {
      throw error instanceof AppError ? error : broken('The workbook is damaged.', error)
    } finally {
      stream.destroy()
    }
  }

  close(): void {
    this.#zip.close()
  }
}

function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  const { promise, resolve, reject } = Promise.withResolvers<Map<string, Entry>>()
  zip.on('entry', (entry: Entry) => {
    if (entries.size >= maxEntries) return reject(broken('The workbook has more parts than this server reads.'))
    entries.set(entry.fileName.toLowerCase(), entry)
    zip.readEntry()
  })
  zip.once('end', () => resolve(entries))
  zip.once('error', (error) => reject(broken('This is no workbook, or it is damaged.', error)))
  zip.readEntry()
  return promise
}
