import { closeSync, openSync, readSync } from 'node:fs'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { BundleMetadata } from './bundle.ts'
import type { BundleEntry } from './entries.ts'
import { jsonRatio, type UnpackedEntry } from './unpack-archive.ts'
import { packArchive } from './write-archive.ts'
import { writeAll } from './write-all.ts'

/** Documents in a file, one line of JSON each, that become an archive in another file. */
export interface DocumentsToPack {
  documents: string
  /** An existing file. */
  output: string
  metadata: BundleMetadata
  /** Root folder of the archive. */
  root: string
  /** Largest size of all files as YAML, as for imports. */
  unpackedBytes: number
}

/** The collected documents may be this large as JSON, so that their file is bounded before it is packed. */
export const maxCollectedBytes = (unpackedBytes: number): number => unpackedBytes * jsonRatio

export const exportTooLarge = (unpackedBytes: number): AppError =>
  new AppError('unprocessable', {
    message: message(
      'errors.bundle.exportTooLarge',
      'The export is larger than {mb, number} MB before compression, the limit IMPORT_UNPACKED_LIMIT_MB of this server. Export fewer objects at once.',
      { mb: unpackedBytes / 2 ** 20 },
    ),
  })

/** Garbage is collected after documents of this size, since V8 would let it grow; with the flag `--expose-gc` only. */
const collectionBytes = 1 << 20

/**
 * Packs documents like `writeArchive`, with one of them in memory at a time.
 * @throws AppError `unprocessable` when they are larger than allowed; `disk_full`
 */
export async function packDocuments(
  { documents, output, metadata, root, unpackedBytes }: DocumentsToPack,
  entries: Iterable<UnpackedEntry>,
): Promise<void> {
  const input = openSync(documents, 'r')
  try {
    const packed = openSync(output, 'r+')
    try {
      const files = readEntries(input, entries)
      const checked = { metadata, files, onPacked: limitBytes(unpackedBytes) }
      await packArchive(checked, root, (piece) => writeAll(packed, piece))
    } finally {
      closeSync(packed)
    }
  } finally {
    closeSync(input)
  }
}

/** Counts bytes. @throws AppError `unprocessable` */
function limitBytes(limit: number): (bytes: number) => void {
  let total = 0
  return (bytes) => {
    total += bytes
    if (total > limit) throw exportTooLarge(limit)
  }
}

function* readEntries(file: number, entries: Iterable<UnpackedEntry>): Generator<BundleEntry> {
  let garbageBytes = 0
  for (const [path, offset, length] of entries) {
    const line = Buffer.alloc(length)
    if (readSync(file, line, 0, length, offset) < length) throw new Error(`The document ${path} is incomplete`)
    yield [path, JSON.parse(line.toString('utf8')) as Record<string, unknown>]
    garbageBytes += length
    if (garbageBytes < collectionBytes) continue
    garbageBytes = 0
    globalThis.gc?.()
  }
}
