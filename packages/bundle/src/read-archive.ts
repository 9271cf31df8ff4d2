import { AppError } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'
import type { Entry, ZipFile } from 'yauzl'
import { type Bundle, parseImageHash } from './bundle.ts'
import { type ArchiveLimits, bundleLimits, defaultArchiveLimits } from './limits.ts'
import { type BundleEntry, toBundle } from './entries.ts'
import { openContents } from './archive-contents.ts'
import { ownerOfOtherFields } from './other-fields.ts'
import { isArchive, readSingleFile } from './single-file.ts'
import { readYaml } from './yaml.ts'

export interface ArchiveReading {
  limits?: ArchiveLimits
  /** Called before the first document. */
  onStart?: (start: { documents: number; unpackedBytes: number }) => void
}

/** Reads an export ZIP, see `readDocuments`. @throws AppError `unprocessable`, also when its metadata does not fit */
export async function readArchive(packed: Buffer | string): Promise<Bundle> {
  const documents: BundleEntry[] = []
  for await (const placed of readDocuments(packed)) documents.push(placed)
  return toBundle(documents)
}

/**
 * Yields the documents of an export ZIP as they are read, including its metadata. The root folder is the one of the metadata,
 * whatever its name and depth; entries that are neither YAML nor images are skipped. The limits of the archive are checked with
 * its directory, before any entry is read. A file of the formats before bundles is read as a bundle, see `readSingleFile`. A large
 * archive takes a minute: run it in a runner where it would block other requests.
 * @param packed  the archive or its path
 * @throws AppError `unprocessable` when it is not an archive or exceeds a limit
 */
export async function* readDocuments(
  packed: Buffer | string,
  { limits = defaultArchiveLimits, onStart }: ArchiveReading = {},
): AsyncGenerator<BundleEntry> {
  if (!(await isArchive(packed))) {
    const documents = await readSingleFile(packed, limits)
    onStart?.({ documents: documents.length, unpackedBytes: 0 })
    return yield* documents
  }
  const { entries, unpackedBytes } = await readDirectory(packed, limits)
  onStart?.({ documents: entries.length, unpackedBytes })
  const contents = openContents(packed)
  try {
    for (const [path, entry] of entries) {
      const bytes = contents.read(entry)
      yield [path, isImage(path) ? { base64: bytes.toString('base64') } : readYaml(bytes.toString('utf8'), path)]
    }
  } catch (error) {
    throw asArchiveError(error)
  } finally {
    contents.close()
  }
}

/** Reads the text of one file of an archive, given by its path below the root folder; undefined without such a file. */
export async function readArchivedText(
  packed: Buffer | string,
  path: string,
  limits: ArchiveLimits = defaultArchiveLimits,
): Promise<string | undefined> {
  if (!(await isArchive(packed))) return undefined
  const { entries } = await readDirectory(packed, limits)
  const found = entries.find(([name]) => name === path)
  if (!found) return undefined
  const contents = openContents(packed)
  try {
    return contents.read(found[1]).toString('utf8')
  } catch (error) {
    throw asArchiveError(error)
  } finally {
    contents.close()
  }
}

const isImage = (path: string): boolean => parseImageHash(path) !== undefined
const isDocument = (path: string): boolean => /\.ya?ml$/.test(path)
/** A file that `IMPORT_OBJECT_LIMIT` counts. */
const isObject = (path: string): boolean =>
  isDocument(path) && path !== 'metadata.yaml' && ownerOfOtherFields(path) === undefined

const archiveError = (text: Message, cause?: unknown): AppError =>
  new AppError('unprocessable', { message: text, cause })

const asArchiveError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  // The library has no codes for them.
  return /^(absolute path|invalid relative path|invalid characters in fileName):/.test((error as Error).message)
    ? archiveError(message('errors.bundle.path', 'The archive contains a file whose path leads out of it.'), error)
    : archiveError(message('errors.bundle.unreadable', 'The archive cannot be read. It may be damaged.'), error)
}

async function open(packed: Buffer | string): Promise<ZipFile> {
  const { fromBufferPromise, openPromise } = await import('yauzl')
  const options = { lazyEntries: true, validateEntrySizes: true, autoClose: false }
  try {
    return await (typeof packed === 'string' ? openPromise(packed, options) : fromBufferPromise(packed, options))
  } catch (cause) {
    throw archiveError(message('errors.bundle.notZip', 'The file is not a ZIP archive, or it is incomplete.'), cause)
  }
}

/** The entries that are read, by their path below the root folder, and what the archive unpacks to. */
async function readDirectory(
  packed: Buffer | string,
  limits: ArchiveLimits,
): Promise<{ entries: [path: string, entry: Entry][]; unpackedBytes: number }> {
  const zip = await open(packed)
  const checker = createEntryChecker(zip.fileSize, limits)
  const found: Entry[] = []
  try {
    if (zip.entryCount > limits.files) throw tooManyFiles(limits)
    for await (const entry of zip.eachEntry()) {
      checker.check(entry)
      if (!isFromArchiver(entry.fileName)) found.push(entry)
    }
  } catch (error) {
    throw asArchiveError(error)
  } finally {
    zip.close()
  }
  const root = findRoot(found)
  const entries = found.flatMap((entry): [string, Entry][] => {
    const path = entry.fileName.startsWith(root) ? entry.fileName.slice(root.length) : ''
    return isImage(path) || isDocument(path) ? [[path, entry]] : []
  })
  if (entries.filter(([path]) => isObject(path)).length > limits.objects)
    throw archiveError(
      message(
        'errors.bundle.archiveObjects',
        'The archive contains more than {max, number} objects, the limit IMPORT_OBJECT_LIMIT of this server.',
        { max: limits.objects },
      ),
    )
  return { entries, unpackedBytes: checker.unpackedBytes }
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

const symbolicLink = 0o120000
const fileTypeMask = 0o170000

const tooManyFiles = ({ files }: ArchiveLimits): AppError =>
  archiveError(
    message(
      'errors.bundle.archiveFiles',
      'The archive contains more than {max, number} files, the limit IMPORT_FILE_LIMIT of this server.',
      { max: files },
    ),
  )

/** Checks what the archive declares about its entries. Unpacking verifies that the declared sizes are true. */
function createEntryChecker(packedBytes: number, limits: ArchiveLimits) {
  const { freeBytes, ratio, fileBytes } = bundleLimits
  const mostByRatio = Math.max(freeBytes, packedBytes * ratio)
  const names = new Set<string>()
  let entries = 0
  const checker = {
    unpackedBytes: 0,
    check(entry: Entry): void {
      const { fileName, uncompressedSize, compressedSize, externalFileAttributes } = entry
      if (++entries > limits.files) throw tooManyFiles(limits)
      if (names.has(fileName))
        throw archiveError(
          message('errors.bundle.sameName', 'The archive contains two files named {name}.', { name: fileName }),
        )
      names.add(fileName)
      checker.unpackedBytes += uncompressedSize
      if (checker.unpackedBytes > limits.unpackedBytes)
        throw archiveError(
          message(
            'errors.bundle.archiveUnpacked',
            'The archive unpacks to more than {mb, number} MB, the limit IMPORT_UNPACKED_LIMIT_MB of this server.',
            { mb: Math.round(limits.unpackedBytes / 2 ** 20) },
          ),
        )
      if (uncompressedSize > fileBytes || checker.unpackedBytes > mostByRatio)
        throw archiveError(message('errors.bundle.archiveTooLarge', 'The archive is larger than allowed.'))
      if (uncompressedSize > 1 << 20 && uncompressedSize / Math.max(1, compressedSize) > ratio)
        throw archiveError(
          message('errors.bundle.ratio', 'A file in the archive has a suspiciously high compression ratio.'),
        )
      if (((externalFileAttributes >>> 16) & fileTypeMask) === symbolicLink)
        throw archiveError(message('errors.bundle.link', 'The archive contains a symbolic link.'))
      if (entry.isEncrypted())
        throw archiveError(
          message('errors.bundle.encrypted', 'The archive is encrypted. Pack it again without a password.'),
        )
    },
  }
  return checker
}
