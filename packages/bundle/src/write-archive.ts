import { once } from 'node:events'
import { type BundleMetadata, parseImageHash } from './bundle.ts'
import type { BundleEntry } from './entries.ts'
import { writeYaml } from './yaml.ts'

/** Files of a bundle, taken one at a time. */
export interface BundleFiles {
  metadata: BundleMetadata
  files: Iterable<BundleEntry>
  /** Called with the size of each file before it is compressed; what it throws ends the packing. */
  onPacked?: (bytes: number) => void
}

/** Packs a bundle under the root folder `root`. A large bundle takes seconds. */
export async function writeArchive(bundle: BundleFiles, root: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  await packArchive(bundle, root, (piece) => pieces.push(Buffer.from(piece)))
  return Buffer.concat(pieces)
}

/**
 * Packs like `writeArchive` without holding the archive.
 * @param write  takes the next bytes before it returns
 */
export async function packArchive(
  { metadata, files, onPacked }: BundleFiles,
  root: string,
  write: (piece: Buffer) => void,
): Promise<void> {
  function* pack(): Generator<readonly [string, Buffer]> {
    yield [`${root}/metadata.yaml`, packEntry('metadata.yaml', { ...metadata })]
    for (const [path, document] of files) {
      const content = packEntry(path, document)
      onPacked?.(content.length)
      yield [`${root}/${path}`, content]
    }
  }
  await packZip(pack(), new Date(metadata.timestamp), write)
}

/** Bytes of a file of a bundle. */
export const packEntry = (path: string, document: Record<string, unknown>): Buffer =>
  parseImageHash(path) === undefined
    ? Buffer.from(writeYaml(document))
    : Buffer.from(String(document['base64'] ?? ''), 'base64')

/** Packs files, given by path, into a ZIP archive. */
export async function createZip(files: Iterable<readonly [string, Buffer]>, at: Date): Promise<Buffer> {
  const pieces: Buffer[] = []
  await packZip(files, at, (piece) => pieces.push(Buffer.from(piece)))
  return Buffer.concat(pieces)
}

/** An entry of yazl, which is not part of its types. It keeps the compressed bytes in its pump until the archive ends. */
interface YazlEntry {
  doFileDataPump: (() => void) | undefined
  setFileDataPumpFunction(pump: () => void): void
}

/** Resolves when a new entry has been compressed and written, and releases its bytes. */
const waitForEntry = (entry: YazlEntry): Promise<void> =>
  new Promise((resolve) => {
    const setPump = entry.setFileDataPumpFunction.bind(entry)
    entry.setFileDataPumpFunction = (pump) =>
      setPump(() => {
        pump()
        entry.doFileDataPump = undefined
        resolve()
      })
  })

/** Compresses one file after another, because each needs 256 KB of memory from the moment it is added. */
async function packZip(
  files: Iterable<readonly [string, Buffer]>,
  at: Date,
  write: (piece: Buffer) => void,
): Promise<void> {
  const { ZipFile: ZipWriter } = await import('yazl')
  const zip = new ZipWriter()
  const { entries } = zip as unknown as { entries: YazlEntry[] }
  let failure: { error: unknown } | undefined
  zip.outputStream.on('data', (piece: Buffer) => {
    if (failure) return
    try {
      write(piece)
    } catch (error) {
      failure = { error }
    }
  })
  const written = once(zip.outputStream, 'end')
  for (const [path, content] of files) {
    zip.addBuffer(content, path, { mtime: at })
    await waitForEntry(entries.at(-1)!)
    if (failure) throw failure.error
  }
  zip.end()
  await written
  if (failure) throw failure.error
}
