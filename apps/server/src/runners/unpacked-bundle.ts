import { type FileHandle, open, rm } from 'node:fs/promises'
import { type BundleMetadata, type BundleSource, checkMetadata, type UnpackedEntry } from '@parquetry/bundle'

const metadataPath = 'metadata.yaml'

/**
 * Documents are garbage soon after they are read, which V8 would let grow to several times this much. Collected with the flags of
 * `apps/cli/node-flags` only.
 */
const collectionBytes = 64 << 20

/** A bundle whose documents are in a temporary file. The caller closes it. */
export class UnpackedBundle implements BundleSource {
  readonly metadata: BundleMetadata
  readonly paths: readonly string[]
  readonly #file: FileHandle
  readonly #entries: ReadonlyMap<string, UnpackedEntry>
  #readBytes = 0

  private constructor(file: FileHandle, entries: ReadonlyMap<string, UnpackedEntry>, metadata: BundleMetadata) {
    this.#file = file
    this.#entries = entries
    this.metadata = metadata
    this.paths = [...entries.keys()].filter((path) => path !== metadataPath)
  }

  /**
   * Takes over the file: its name is deleted at once, its contents with `close` or with this process.
   * @throws AppError `unprocessable` when the metadata is missing or invalid
   */
  static async open(path: string, entries: ReadonlyMap<string, UnpackedEntry>): Promise<UnpackedBundle> {
    const file = await open(path)
    try {
      await rm(path)
      const entry = entries.get(metadataPath)
      return new UnpackedBundle(file, entries, checkMetadata(entry && (await readDocument(file, entry))))
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async read(path: string): Promise<Record<string, unknown>> {
    const entry = this.#entries.get(path)
    if (!entry) throw new RangeError(`The bundle has no file ${path}`)
    this.#readBytes += entry[2]
    if (this.#readBytes > collectionBytes) {
      this.#readBytes = 0
      await globalThis.gc?.({ type: 'major', execution: 'async' })
    }
    return readDocument(this.#file, entry)
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

async function readDocument(file: FileHandle, [path, offset, length]: UnpackedEntry): Promise<Record<string, unknown>> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
  if (bytesRead < length) throw new Error(`The unpacked file ${path} is incomplete`)
  return JSON.parse(buffer.toString('utf8')) as Record<string, unknown>
}
