const lengthBytes = 8

/**
 * Returns the start of a record in a response: `u32` head length, `u32` body length (little-endian), the head as JSON. The body
 * follows; readers need no knowledge of its content.
 */
export function encodeRecordHead(head: object, bodyBytes: number): Buffer {
  const text = Buffer.from(JSON.stringify(head))
  const lengths = Buffer.allocUnsafe(lengthBytes)
  lengths.writeUInt32LE(text.length, 0)
  lengths.writeUInt32LE(bodyBytes, 4)
  return Buffer.concat([lengths, text])
}

/** Yields the records of bytes that arrive in pieces of any length; each body has its own memory. */
export async function* readRecords<Head>(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<{ head: Head; body: Buffer<ArrayBuffer> }> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= lengthBytes) {
      const headEnd = lengthBytes + rest.readUInt32LE(0)
      const end = headEnd + rest.readUInt32LE(4)
      if (rest.length < end) break
      const head = JSON.parse(rest.toString('utf8', lengthBytes, headEnd)) as Head
      const body = Buffer.allocUnsafeSlow(end - headEnd)
      rest.copy(body, 0, headEnd, end)
      yield { head, body }
      rest = rest.subarray(end)
    }
  }
}
