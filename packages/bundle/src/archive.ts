import { AppError } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'
import type { Entry, ZipFile } from 'yauzl'
import type { Bundle, BundleMetadata } from './bundle.ts'
import { bundleTypes, hashOfImage } from './bundle.ts'
import { limits } from './limits.ts'
import { countValues, readYaml, refused, tooLarge, writeYaml } from './yaml.ts'

/** A document and its path below the root folder. */
export type PlacedDocument = readonly [path: string, document: Record<string, unknown>]

/** Reads an export ZIP, see `documentsIn`. @throws AppError `unprocessable`, also when its metadata does not fit */
export async function readArchive(packed: Buffer | string): Promise<Bundle> {
  const documents: PlacedDocument[] = []
  for await (const placed of documentsIn(packed)) documents.push(placed)
  return bundleOf(documents)
}

/**
 * The documents of an export ZIP as they are read, its metadata among them. The name of the root folder does not count; entries
 * that are neither YAML nor images below it are left out. All of it may take seconds: where others wait, a runner reads it.
 * @param packed  the archive, or the path of one
 * @throws AppError `unprocessable` when it is no archive or breaks a limit
 */
export async function* documentsIn(packed: Buffer | string): AsyncGenerator<PlacedDocument> {
  const zip = await open(packed)
  try {
    const check = checker(zip.fileSize)
    const entries: Entry[] = []
    for await (const entry of zip.eachEntry()) {
      check(entry)
      entries.push(entry)
    }
    let values = 0
    for (const entry of entries) {
      const path = entry.fileName.split('/').slice(1).join('/')
      if (hashOfImage(path) !== undefined) {
        yield [path, { base64: (await bytesOf(zip, entry)).toString('base64') }]
        continue
      }
      if (!/\.ya?ml$/.test(path)) continue
      const document = readYaml((await bytesOf(zip, entry)).toString('utf8'), path)
      values += countValues(document, path)
      if (values > limits.allValues)
        throw wrong(
          message('errors.bundle.archiveValues', 'The archive contains more than {max, number} values.', {
            max: limits.allValues,
          }),
        )
      yield [path, document]
    }
  } catch (error) {
    throw error instanceof AppError
      ? error
      : wrong(message('errors.bundle.unreadable', 'The archive cannot be read. It may be damaged.'), error)
  } finally {
    zip.close()
  }
}

/** Packs a bundle under the root folder `root`. Large ones take seconds, as reading does. */
export async function writeArchive({ metadata, files }: Bundle, root: string): Promise<Buffer> {
  const entries = [['metadata.yaml', { ...metadata }] as const, ...files]
  const packed = entries.map(([path, document]) => [`${root}/${path}`, packedOf(path, document)] as const)
  return zipOf(new Map(packed), new Date(metadata.timestamp))
}

const packedOf = (path: string, document: Record<string, unknown>): Buffer =>
  hashOfImage(path) === undefined
    ? Buffer.from(writeYaml(document))
    : Buffer.from(String(document['base64'] ?? ''), 'base64')

/** Packs files by path. */
export async function zipOf(files: ReadonlyMap<string, Buffer>, at: Date): Promise<Buffer> {
  const { ZipFile: ZipWriter } = await import('yazl')
  const zip = new ZipWriter()
  for (const [path, content] of files) zip.addBuffer(content, path, { mtime: at })
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** @throws AppError `unprocessable` when there is no metadata, or it does not fit */
export function bundleOf(documents: Iterable<PlacedDocument>): Bundle {
  const files = new Map(documents)
  const metadata = files.get('metadata.yaml')
  files.delete('metadata.yaml')
  return { metadata: checkMetadata(metadata), files }
}

/** A bundle on its way between processes: a line of JSON for each document, its metadata first. */
export function* linesOf({ metadata, files }: Bundle): Generator<string> {
  yield lineOf(['metadata.yaml', { ...metadata }])
  for (const placed of files) yield lineOf(placed)
}

/** The same of an archive, see `documentsIn`. @throws AppError `unprocessable`, also for a document that is too large as JSON */
export async function* linesIn(packed: Buffer | string): AsyncGenerator<string> {
  for await (const placed of documentsIn(packed)) {
    const line = lineOf(placed)
    if (line.length > limits.fileBytes) throw refused(placed[0], tooLarge)
    yield line
  }
}

const lineOf = (placed: PlacedDocument): string => `${JSON.stringify(placed)}\n`
export const documentOf = (line: string): PlacedDocument => JSON.parse(line) as PlacedDocument

/** @throws AppError `unprocessable` when version or type are not ours to read */
function checkMetadata(metadata: Record<string, unknown> | undefined): BundleMetadata {
  const problem = (what: Record<string, string[]>): AppError =>
    new AppError('unprocessable', {
      message: message('errors.bundle.import', 'Error importing the bundle'),
      details: { 'metadata.yaml': what },
    })
  if (!metadata) throw problem({ _schema: ['The archive has no metadata.yaml.'] })
  const { version, type, timestamp } = metadata
  if (String(version) !== '1.0.0') throw problem({ version: ['Must be equal to 1.0.0.'] })
  const known = bundleTypes.find((name) => name === type)
  if (!known) throw problem({ type: [`Must be one of: ${bundleTypes.join(', ')}.`] })
  return { version: '1.0.0', type: known, timestamp: typeof timestamp === 'string' ? timestamp : '' }
}

const wrong = (text: Message, cause?: unknown): AppError => new AppError('unprocessable', { message: text, cause })

async function open(packed: Buffer | string): Promise<ZipFile> {
  const { fromBufferPromise, openPromise } = await import('yauzl')
  const options = { lazyEntries: true, validateEntrySizes: true, autoClose: false }
  try {
    return await (typeof packed === 'string' ? openPromise(packed, options) : fromBufferPromise(packed, options))
  } catch (cause) {
    throw wrong(message('errors.bundle.notZip', 'The file is not a ZIP archive.'), cause)
  }
}

/** By what the archive says of its entries; that it says the truth is checked as they are unpacked. */
function checker(packedBytes: number): (entry: Entry) => void {
  const most = Math.min(limits.unpackedBytes, Math.max(limits.freeBytes, packedBytes * limits.ratio))
  let entries = 0
  let unpacked = 0
  return ({ uncompressedSize, compressedSize, externalFileAttributes }) => {
    if (++entries > limits.files)
      throw wrong(
        message('errors.bundle.archiveFiles', 'The archive contains more than {max, number} files.', {
          max: limits.files,
        }),
      )
    unpacked += uncompressedSize
    if (uncompressedSize > limits.fileBytes || unpacked > most)
      throw wrong(message('errors.bundle.archiveTooLarge', 'The archive is larger than allowed.'))
    if (uncompressedSize > 1 << 20 && uncompressedSize / Math.max(1, compressedSize) > limits.ratio)
      throw wrong(message('errors.bundle.ratio', 'A file in the archive has a suspiciously high compression ratio.'))
    if (((externalFileAttributes >>> 16) & 0o170000) === 0o120000)
      throw wrong(message('errors.bundle.link', 'The archive contains a symbolic link.'))
  }
}

async function bytesOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
