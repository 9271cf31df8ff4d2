import { releaseBuffer } from '@parquetry/engines/channel'

/** Collects all items of an async iterable. */
export async function gather<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of source) all.push(item)
  return all
}

/** Joins the chunks of a runner and releases their memory. */
export function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const bytes = Buffer.concat(chunks)
  for (const chunk of chunks) releaseBuffer(chunk)
  return bytes
}

/** Lines of a byte stream, without their newlines. */
export async function* linesFrom(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let partial: Buffer[] = []
  for await (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      yield Buffer.concat([...partial, piece.subarray(from, end)]).toString('utf8')
      partial = []
      from = end + 1
    }
    if (from < piece.length) partial.push(piece.subarray(from))
  }
}
