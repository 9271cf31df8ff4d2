import { AppError, type FieldMessages } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'
import type { Entry, ZipFile } from 'yauzl'
import type { Bundle, BundleMetadata } from './bundle.ts'
import { bundleTypes, parseImageHash } from './bundle.ts'
import { bundleLimits } from './limits.ts'
import { countValues, readYaml, importError, fileTooLarge, writeYaml } from './yaml.ts'

/** A document and its path below the root folder. */
export type BundleEntry = readonly [path: string, document: Record<string, unknown>]

/** Reads an export ZIP, see `readDocuments`. @throws AppError `unprocessable`, also when its metadata does not fit */
export async function readArchive(packed: Buffer | string): Promise<Bundle> {
  const documents: BundleEntry[] = []
  for await (const placed of readDocuments(packed)) documents.push(placed)
  return toBundle(documents)
}

/**
 * Yields the documents of an export ZIP as they are read, including its metadata. The root folder is the one of the metadata,
 * whatever its name and depth; entries that are neither YAML nor images are skipped. A large archive takes seconds: run it in a runner where it would block
 * other requests.
 * @param packed  the archive or its path
 * @throws AppError `unprocessable` when it is not an archive or exceeds a limit
 */
export async function* readDocuments(packed: Buffer | string): AsyncGenerator<BundleEntry> {
  const zip = await open(packed)
  try {
    const check = createEntryChecker(zip.fileSize)
    const entries: Entry[] = []
    for await (const entry of zip.eachEntry()) {
      check(entry)
      if (isFromArchiver(entry.fileName)) continue
      entries.push(entry)
    }
    const root = findRoot(entries)
    let values = 0
    for (const entry of entries) {
      if (!entry.fileName.startsWith(root)) continue
      const path = entry.fileName.slice(root.length)
      if (parseImageHash(path) !== undefined) {
        yield [path, { base64: (await readEntry(zip, entry)).toString('base64') }]
        continue
      }
      if (!/\.ya?ml$/.test(path)) continue
      const document = readYaml((await readEntry(zip, entry)).toString('utf8'), path)
      values += countValues(document, path)
      if (values > bundleLimits.allValues)
        throw archiveError(
          message('errors.bundle.archiveValues', 'The archive contains more than {max, number} values.', {
            max: bundleLimits.allValues,
          }),
        )
      yield [path, document]
    }
  } catch (error) {
    throw error instanceof AppError
      ? error
      : archiveError(message('errors.bundle.unreadable', 'The archive cannot be read. It may be damaged.'), error)
  } finally {
    zip.close()
  }
}

const metadataPath = /^(.*\/)?metadata\.yaml$/

/** The folder of the metadata, with a slash at its end; the outermost one of several. */
function findRoot(entries: readonly Entry[]): string {
  const roots = entries.flatMap(
    ({ fileName }) => metadataPath.exec(fileName)?.[1] ?? (fileName === 'metadata.yaml' ? '' : []),
  )
  return roots.toSorted((a, b) => a.length - b.length)[0] ?? ''
}

/** Files that programs which make archives and show folders add on their own. */
const isFromArchiver = (name: string): boolean =>
  name.startsWith('__MACOSX/') || /(^|\/)(\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(name)

/** Packs a bundle under the root folder `root`. A large bundle takes seconds. */
export async function writeArchive({ metadata, files }: Bundle, root: string): Promise<Buffer> {
  const entries = [['metadata.yaml', { ...metadata }] as const, ...files]
  const packed = entries.map(([path, document]) => [`${root}/${path}`, packEntry(path, document)] as const)
  return createZip(new Map(packed), new Date(metadata.timestamp))
}

const packEntry = (path: string, document: Record<string, unknown>): Buffer =>
  parseImageHash(path) === undefined
    ? Buffer.from(writeYaml(document))
    : Buffer.from(String(document['base64'] ?? ''), 'base64')

/** Packs files, given by path, into a ZIP archive. */
export async function createZip(files: ReadonlyMap<string, Buffer>, at: Date): Promise<Buffer> {
  const { ZipFile: ZipWriter } = await import('yazl')
  const zip = new ZipWriter()
  for (const [path, content] of files) zip.addBuffer(content, path, { mtime: at })
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** @throws AppError `unprocessable` when the metadata is missing or invalid */
export function toBundle(documents: Iterable<BundleEntry>): Bundle {
  const files = new Map(documents)
  const metadata = files.get('metadata.yaml')
  files.delete('metadata.yaml')
  return { metadata: checkMetadata(metadata), files }
}

/** Serializes a bundle for transfer between processes: one line of JSON per document, metadata first. */
export function* serializeBundle({ metadata, files }: Bundle): Generator<string> {
  yield serializeEntry(['metadata.yaml', { ...metadata }])
  for (const placed of files) yield serializeEntry(placed)
}

/**
 * Serializes an archive in the same way (see `readDocuments`). @throws AppError `unprocessable`, also for a document that is too
 * large as JSON
 */
export async function* serializeArchive(packed: Buffer | string): AsyncGenerator<string> {
  for await (const placed of readDocuments(packed)) {
    const line = serializeEntry(placed)
    if (line.length > bundleLimits.fileBytes) throw importError(placed[0], fileTooLarge)
    yield line
  }
}

const serializeEntry = (placed: BundleEntry): string => `${JSON.stringify(placed)}\n`
export const parseEntry = (line: string): BundleEntry => JSON.parse(line) as BundleEntry

/** @throws AppError `unprocessable` when the version or type is not supported */
function checkMetadata(metadata: Record<string, unknown> | undefined): BundleMetadata {
  const problem = (what: FieldMessages): AppError =>
    new AppError('unprocessable', {
      message: message('errors.bundle.import', 'Error importing the bundle'),
      detailMessages: { 'metadata.yaml': what },
    })
  if (!metadata) throw problem({ _schema: [message('errors.bundle.noMetadata', 'The archive has no metadata.yaml.')] })
  const { version, type, timestamp } = metadata
  if (String(version) !== '1.0.0')
    throw problem({ version: [message('errors.bundle.equal', 'Must be equal to {value}.', { value: '1.0.0' })] })
  const known = bundleTypes.find((name) => name === type)
  if (!known)
    throw problem({
      type: [message('errors.fields.choice', 'Must be one of: {choices}.', { choices: bundleTypes.join(', ') })],
    })
  return { version: '1.0.0', type: known, timestamp: typeof timestamp === 'string' ? timestamp : '' }
}

const archiveError = (text: Message, cause?: unknown): AppError =>
  new AppError('unprocessable', { message: text, cause })

async function open(packed: Buffer | string): Promise<ZipFile> {
  const { fromBufferPromise, openPromise } = await import('yauzl')
  const options = { lazyEntries: true, validateEntrySizes: true, autoClose: false }
  try {
    return await (typeof packed === 'string' ? openPromise(packed, options) : fromBufferPromise(packed, options))
  } catch (cause) {
    throw archiveError(message('errors.bundle.notZip', 'The file is not a ZIP archive.'), cause)
  }
}

/** Checks the sizes that the archive declares for its entries. Unpacking verifies that the declared sizes are true. */
function createEntryChecker(packedBytes: number): (entry: Entry) => void {
  const most = Math.min(bundleLimits.unpackedBytes, Math.max(bundleLimits.freeBytes, packedBytes * bundleLimits.ratio))
  let entries = 0
  let unpacked = 0
  return ({ uncompressedSize, compressedSize, externalFileAttributes }) => {
    if (++entries > bundleLimits.files)
      throw archiveError(
        message('errors.bundle.archiveFiles', 'The archive contains more than {max, number} files.', {
          max: bundleLimits.files,
        }),
      )
    unpacked += uncompressedSize
    if (uncompressedSize > bundleLimits.fileBytes || unpacked > most)
      throw archiveError(message('errors.bundle.archiveTooLarge', 'The archive is larger than allowed.'))
    if (uncompressedSize > 1 << 20 && uncompressedSize / Math.max(1, compressedSize) > bundleLimits.ratio)
      throw archiveError(
        message('errors.bundle.ratio', 'A file in the archive has a suspiciously high compression ratio.'),
      )
    if (((externalFileAttributes >>> 16) & 0o170000) === 0o120000)
      throw archiveError(message('errors.bundle.link', 'The archive contains a symbolic link.'))
  }
}

async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
