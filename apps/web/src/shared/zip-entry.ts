/** Sizes of the parts of an archive, in bytes. */
const endSize = 22
const maxCommentSize = 0xffff
const headerSize = 46
const localHeaderSize = 30
/** Directory of far more files than a bundle may have. */
const maxDirectorySize = 32 << 20
/** Bytes read of an entry: those behind them are not needed, and an entry can unpack to any size. */
const maxEntrySize = 64 << 10

const endMark = 0x06054b50
const headerMark = 0x02014b50

interface ZipEntry {
  name: string
  isEncrypted: boolean
  method: number
  packedSize: number
  /** Position of its local header. */
  start: number
}

const readPart = async (file: Blob, from: number, to: number): Promise<DataView<ArrayBuffer>> =>
  new DataView(await file.slice(from, to).arrayBuffer())

/** Returns the entries of a ZIP archive; none if it is not one. Reads only the directory at its end. */
async function readDirectory(file: Blob): Promise<ZipEntry[]> {
  const tailStart = Math.max(0, file.size - endSize - maxCommentSize)
  const tail = await readPart(file, tailStart, file.size)
  let end = tail.byteLength - endSize
  while (end >= 0 && tail.getUint32(end, true) !== endMark) end--
  if (end < 0) return []
  const size = tail.getUint32(end + 12, true)
  const start = tail.getUint32(end + 16, true)
  if (size > maxDirectorySize || start + size > tailStart + end) return []
  const directory = await readPart(file, start, start + size)
  const entries: ZipEntry[] = []
  for (let at = 0; at + headerSize <= size && directory.getUint32(at, true) === headerMark;) {
    const nameSize = directory.getUint16(at + 28, true)
    const name = new Uint8Array(directory.buffer, at + headerSize, Math.min(nameSize, size - at - headerSize))
    entries.push({
      name: new TextDecoder().decode(name),
      isEncrypted: (directory.getUint16(at + 8, true) & 1) === 1,
      method: directory.getUint16(at + 10, true),
      packedSize: directory.getUint32(at + 20, true),
      start: directory.getUint32(at + 42, true),
    })
    at += headerSize + nameSize + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true)
  }
  return entries
}

async function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    while (text.length < maxEntrySize) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  return text
}

const depthOf = (name: string): number => name.split('/').length

/**
 * Returns the start of the least nested entry of a ZIP archive that has this file name, as text; null if there is none, and ''
 * if it cannot be read. Reads no other entry, so the size of the archive does not matter.
 */
export async function readZipEntry(file: Blob, fileName: string): Promise<string | null> {
  const found = (await readDirectory(file))
    // Archivers of macOS add a copy of each entry with its attributes.
    .filter(({ name }) => (name === fileName || name.endsWith(`/${fileName}`)) && !name.startsWith('__MACOSX/'))
    .toSorted((a, b) => depthOf(a.name) - depthOf(b.name))[0]
  if (!found) return null
  const { start, packedSize, method, isEncrypted } = found
  if (isEncrypted || (method !== 0 && method !== 8)) return ''
  try {
    const header = await readPart(file, start, start + localHeaderSize)
    const from = start + localHeaderSize + header.getUint16(26, true) + header.getUint16(28, true)
    const packed = file.slice(from, from + packedSize).stream()
    return await readText(method === 0 ? packed : packed.pipeThrough(new DecompressionStream('deflate-raw')))
  } catch {
    return ''
  }
}
