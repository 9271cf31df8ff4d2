import { once } from 'node:events'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { type BundleMetadata, parseImageHash } from './bundle.ts'
import type { BundleEntry } from './entries.ts'
import { writeYaml } from './yaml.ts'

/**
 * Packs a bundle under the root folder `root`. A large bundle takes seconds.
 * @param bundle  its files are taken one at a time
 */
export async function writeArchive(
  { metadata, files }: { metadata: BundleMetadata; files: Iterable<BundleEntry> },
  root: string,
): Promise<Buffer> {
  function* pack(): Generator<readonly [string, Buffer]> {
    yield [`${root}/metadata.yaml`, packEntry('metadata.yaml', { ...metadata })]
    for (const [path, document] of files) yield [`${root}/${path}`, packEntry(path, document)]
  }
  return createZip(pack(), new Date(metadata.timestamp))
}

/** Bytes of a file of a bundle. */
export const packEntry = (path: string, document: Record<string, unknown>): Buffer =>
  parseImageHash(path) === undefined
    ? Buffer.from(writeYaml(document))
    : Buffer.from(String(document['base64'] ?? ''), 'base64')

/** Packs files, given by path, into a ZIP archive. */
export async function createZip(files: Iterable<readonly [string, Buffer]>, at: Date): Promise<Buffer> {
  const { ZipFile: ZipWriter } = await import('yazl')
  const zip = new ZipWriter()
  const pieces: Buffer[] = []
  zip.outputStream.on('data', (piece: Buffer) => pieces.push(Buffer.from(piece)))
  const written = once(zip.outputStream, 'end')
  for (const [path, content] of files) {
    zip.addBuffer(content, path, { mtime: at })
    await waitForCompression()
  }
  zip.end()
  await written
  return Buffer.concat(pieces)
}

/**
 * Files are compressed by threads that take them in order, each with 256 KB of memory from the moment it is added: waiting for an
 * empty one keeps thousands from being there at once.
 */
const waitForCompression = (): Promise<unknown> => compress(nothing)
const compress = promisify(deflateRaw)
const nothing = Buffer.alloc(0)
