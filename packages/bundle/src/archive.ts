import { AppError } from '@parquetry/model'
import type { Entry, ZipFile } from 'yauzl'
import type { Bundle, BundleMetadata } from './bundle.ts'
import { bundleTypes } from './bundle.ts'
import { limits } from './limits.ts'
import { readYaml, writeYaml } from './yaml.ts'

/**
 * Reads an export ZIP. The name of the root folder does not count; entries that are no YAML below it are left out.
 * @throws AppError `unprocessable` when it is no archive, breaks a limit, or its metadata does not fit
 */
export async function readArchive(packed: Buffer): Promise<Bundle> {
  const texts = await unpack(packed)
  const files = new Map<string, Record<string, unknown>>()
  let metadata: Record<string, unknown> | undefined
  for (const [name, text] of texts) {
    const path = name.split('/').slice(1).join('/')
    if (!/\.ya?ml$/.test(path)) continue
    const document = readYaml(text, path)
    if (path === 'metadata.yaml') metadata = document
    else files.set(path, document)
  }
  return { metadata: checkMetadata(metadata), files }
}

/** Packs a bundle under the root folder `root`. */
export async function writeArchive({ metadata, files }: Bundle, root: string): Promise<Buffer> {
  const entries = [['metadata.yaml', { ...metadata }] as const, ...files]
  const packed = entries.map(([path, document]) => [`${root}/${path}`, Buffer.from(writeYaml(document))] as const)
  return zipOf(new Map(packed), new Date(metadata.timestamp))
}

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

/** @throws AppError `unprocessable` when version or type are not ours to read */
export function checkMetadata(metadata: Record<string, unknown> | undefined): BundleMetadata {
  const problem = (what: Record<string, string[]>): AppError =>
    new AppError('unprocessable', { message: 'Error importing the bundle', details: { 'metadata.yaml': what } })
  if (!metadata) throw problem({ _schema: ['The archive has no metadata.yaml.'] })
  const { version, type, timestamp } = metadata
  if (String(version) !== '1.0.0') throw problem({ version: ['Must be equal to 1.0.0.'] })
  const known = bundleTypes.find((name) => name === type)
  if (!known) throw problem({ type: [`Must be one of: ${bundleTypes.join(', ')}.`] })
  return { version: '1.0.0', type: known, timestamp: typeof timestamp === 'string' ? timestamp : '' }
}

const refused = (message: string, cause?: unknown): AppError => new AppError('unprocessable', { message, cause })

async function unpack(packed: Buffer): Promise<Map<string, string>> {
  const { fromBuffer } = await import('yauzl')
  return new Promise((resolve, reject) => {
    fromBuffer(packed, { lazyEntries: true, validateEntrySizes: true }, (error, zip) => {
      if (error || !zip) return reject(refused('The file is not a ZIP archive.', error))
      collect(zip).then(resolve, (cause: unknown) =>
        reject(cause instanceof AppError ? cause : refused('The archive cannot be read.', cause)),
      )
    })
  })
}

function collect(zip: ZipFile): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  let unpacked = 0
  const check = (entry: Entry): void => {
    if (texts.size >= limits.files) throw refused(`The archive holds more than ${limits.files} files.`)
    const size = entry.uncompressedSize
    unpacked += size
    if (size > limits.fileBytes || unpacked > limits.unpackedBytes)
      throw refused('The archive is larger than is allowed.')
    if (size > 1 << 20 && size / Math.max(1, entry.compressedSize) > limits.ratio)
      throw refused('A file of the archive is packed suspiciously tight.')
    const mode = (entry.externalFileAttributes >>> 16) & 0o170000
    if (mode === 0o120000) throw refused('The archive holds a link.')
  }
  return new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', () => resolve(texts))
    zip.on('entry', (entry: Entry) => {
      try {
        check(entry)
      } catch (error) {
        zip.close()
        return reject(error)
      }
      if (entry.fileName.endsWith('/')) return zip.readEntry()
      zip.openReadStream(entry, (error, stream) => {
        if (error || !stream) return reject(error)
        const pieces: Buffer[] = []
        stream.on('data', (piece: Buffer) => pieces.push(piece))
        stream.on('error', reject)
        stream.on('end', () => {
          texts.set(entry.fileName, Buffer.concat(pieces).toString('utf8'))
          zip.readEntry()
        })
      })
    })
    zip.readEntry()
  })
}
