import { closeSync, openSync } from 'node:fs'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { type ArchiveLimits, bundleLimits } from './limits.ts'
import { type ArchiveReading, readDocuments } from './read-archive.ts'
import { writeAll } from './write-all.ts'
import { fileTooLarge, importError } from './yaml.ts'

/** Where the JSON of a document is in the file of an unpacked archive, in bytes. */
export type UnpackedEntry = readonly [path: string, offset: number, length: number]

/** Documents are written together until they are this large. */
const writeBytes = 1 << 20

/** JSON may be this much larger than YAML, by quotes, escapes, and what aliases repeat. */
export const jsonRatio = 2

/**
 * Writes the documents of an archive into a new file that only its owner can read, one line of JSON each, and yields where each one
 * is.
 * @throws AppError `unprocessable` as `readDocuments`, also for documents that are too large as JSON; `disk_full`
 */
export async function* unpackArchive(
  packed: string,
  output: string,
  { limits, onStart }: { limits: ArchiveLimits; onStart: NonNullable<ArchiveReading['onStart']> },
): AsyncGenerator<UnpackedEntry> {
  const file = openSync(output, 'wx', 0o600)
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let offset = 0
  const write = () => {
    writeAll(file, Buffer.concat(waiting))
    waiting = []
    waitingBytes = 0
  }
  try {
    for await (const [path, document] of readDocuments(packed, { limits, onStart })) {
      const line = Buffer.from(`${JSON.stringify(document)}\n`)
      if (line.length > bundleLimits.fileBytes * jsonRatio) throw importError(path, fileTooLarge)
      if (offset + line.length > limits.unpackedBytes * jsonRatio)
        throw new AppError('unprocessable', {
          message: message('errors.bundle.archiveTooLarge', 'The archive is larger than allowed.'),
        })
      yield [path, offset, line.length]
      offset += line.length
      waiting.push(line)
      waitingBytes += line.length
      if (waitingBytes >= writeBytes) write()
    }
    write()
  } finally {
    closeSync(file)
  }
}
