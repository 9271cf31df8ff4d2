import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type BundleMetadata, writeArchive } from '@parquetry/bundle'
import type { Runners } from '../runners/runners.ts'
import type { DocumentFile } from './document-file.ts'

/** Smaller bundles are packed in this process, which is faster than starting another one. */
const smallBytes = 16 << 10

export interface PackedBundle {
  bytes: number
  content: Buffer | Readable
}

/**
 * Packs documents as an export ZIP. A large one is a file without a name, which is gone when its stream ends or is destroyed, or
 * this process ends.
 * @throws AppError `unprocessable` when it is too large; `disk_full`
 */
export async function packBundle(
  { runners, folder, unpackedBytes }: { runners: Runners; folder: string; unpackedBytes: number },
  { documents, metadata, root }: { documents: DocumentFile; metadata: BundleMetadata; root: string },
  { signal, person }: { signal: AbortSignal; person: string },
): Promise<PackedBundle> {
  const files = documents.bytes <= smallBytes ? documents.readFromMemory() : undefined
  if (files) {
    const content = await writeArchive({ metadata, files }, root)
    return { bytes: content.length, content }
  }
  await documents.flush()
  const output = join(folder, randomUUID())
  // Created here, so that a runner that learns late of a cancel finds no file, and creates none.
  const file = await open(output, 'wx+', 0o600)
  try {
    const packed = { documents: documents.path, output, metadata, root, unpackedBytes }
    await runners.writeBundle(packed, documents.listPlaces(), signal, person)
    signal.throwIfAborted()
    const { size } = await file.stat()
    return { bytes: size, content: file.createReadStream({ start: 0, highWaterMark: 256 << 10 }) }
  } catch (error) {
    await file.close()
    throw error
  } finally {
    await rm(output, { force: true })
  }
}
