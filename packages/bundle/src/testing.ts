import { ZipFile } from 'yazl'

/** Packs files into a ZIP archive. Paths are written as they are given, also those that lead out of the archive. */
export async function zipEntries(entries: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  const wrongPaths: [placeholder: string, path: string][] = []
  for (const [path, content] of Object.entries(entries)) {
    const isWrong = /^\/|\\|^[a-z]:|(^|\/)\.\.(\/|$)/i.test(path)
    // The library refuses to write them.
    const written = isWrong ? `${'x'.repeat(Buffer.byteLength(path) - 1)}${wrongPaths.length}` : path
    if (isWrong) wrongPaths.push([written, path])
    zip.addBuffer(Buffer.from(content), written)
  }
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer)
  const packed = Buffer.concat(pieces)
  for (const [placeholder, path] of wrongPaths)
    for (let at = packed.indexOf(placeholder); at >= 0; at = packed.indexOf(placeholder, at)) packed.write(path, at)
  return packed
}
