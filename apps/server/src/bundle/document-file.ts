import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BundleEntry, exportTooLarge, maxCollectedBytes, type UnpackedEntry } from '@parquetry/bundle'

/** Where the documents of an export are collected; a `Map` is one too. */
export interface DocumentSink {
  has(path: string): boolean
  set(path: string, document: Record<string, unknown>): unknown
}

/** Documents are written together until they are this large; a smaller export needs no file. */
const writeBytes = 256 << 10

/** Documents and rows are garbage soon after they are written. Collected with the flags of `apps/cli/node-flags` only. */
const collectionBytes = 32 << 20

/** Collects documents in a temporary file that only its owner can read, one line of JSON each. The caller closes it. */
export class DocumentFile implements DocumentSink {
  readonly path: string
  readonly #folder: string
  readonly #unpackedBytes: number
  readonly #signal: AbortSignal
  readonly #places = new Map<string, { offset: number; length: number }>()
  #file: FileHandle | undefined
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #bytes = 0
  #garbageBytes = 0

  /**
   * @param unpackedBytes  limit of the export, see `packDocuments`
   * @param signal         ends the collection when the client is gone
   */
  constructor(folder: string, unpackedBytes: number, signal: AbortSignal) {
    this.#signal = signal
    this.#folder = folder
    this.#unpackedBytes = unpackedBytes
    this.path = join(folder, randomUUID())
  }

  /** Size of all documents as JSON. */
  get bytes(): number {
    return this.#bytes
  }

  has(path: string): boolean {
    return this.#places.has(path)
  }

  /** @throws AppError `unprocessable` when all documents together are too large */
  async set(path: string, document: Record<string, unknown>): Promise<void> {
    this.#signal.throwIfAborted()
    const line = Buffer.from(`${JSON.stringify(document)}\n`)
    this.#places.set(path, { offset: this.#bytes, length: line.length })
    this.#bytes += line.length
    if (this.#bytes > maxCollectedBytes(this.#unpackedBytes)) throw exportTooLarge(this.#unpackedBytes)
    this.#waiting.push(line)
    this.#waitingBytes += line.length
    if (this.#waitingBytes >= writeBytes) await this.flush()
  }

  /** Writes what is not in the file yet. */
  async flush(): Promise<void> {
    const waiting = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    if (!this.#file) {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      this.#file = await open(this.path, 'wx', 0o600)
    }
    await this.#file.writeFile(waiting)
    this.#garbageBytes += waiting.length
    if (this.#garbageBytes < collectionBytes) return
    this.#garbageBytes = 0
    await globalThis.gc?.({ type: 'major', execution: 'async' })
  }

  /** Where each document is in the file, in the order of their paths. */
  listPlaces(): UnpackedEntry[] {
    return [...this.#places]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, { offset, length }]) => [path, offset, length])
  }

  /** The documents in the order of their paths; undefined once they are in the file. */
  readFromMemory(): BundleEntry[] | undefined {
    if (this.#file) return undefined
    const all = Buffer.concat(this.#waiting)
    return this.listPlaces().map(([path, offset, length]) => [
      path,
      JSON.parse(all.toString('utf8', offset, offset + length)) as Record<string, unknown>,
    ])
  }

  async close(): Promise<void> {
    await this.#file?.close()
    await rm(this.path, { force: true })
  }
}
