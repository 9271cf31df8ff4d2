import { parseImageHash, type Bundle } from './bundle.ts'
import { writeYaml } from './yaml.ts'

/** Packs a bundle under the root folder `root`. A large bundle takes seconds. */
export async function writeArchive({ metadata, files }: Bundle, root: string): Promise<Buffer> {
  const entries = [['metadata.yaml', { ...metadata }] as const, ...files]
  const packed = entries.map(([path, document]) => [`${root}/${path}`, packEntry(path, document)] as const)
  return createZip(new Map(packed), new Date(metadata.timestamp))
}

/** Bytes of a file of a bundle. */
export const packEntry = (path: string, document: Record<string, unknown>): Buffer =>
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
