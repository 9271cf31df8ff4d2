/** Collects all items of an async iterable. */
export async function gather<T>(arriving: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of arriving) all.push(one)
  return all
}

/** Lines of a byte stream, without their newlines. */
export async function* linesFrom(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = []
  for await (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      yield Buffer.concat([...begun, piece.subarray(from, end)]).toString('utf8')
      begun = []
      from = end + 1
    }
    if (from < piece.length) begun.push(piece.subarray(from))
  }
}
