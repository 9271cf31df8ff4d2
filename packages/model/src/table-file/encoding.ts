export const fileEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'latin-1'] as const
export type FileEncoding = (typeof fileEncodings)[number]

/** Browser and Node both have a decoder, but neither's types are available here. */
const { TextDecoder: Decoder } = globalThis as unknown as {
  TextDecoder: new (
    label: string,
    options?: { fatal?: boolean },
  ) => { decode(bytes: Uint8Array, options?: { stream?: boolean }): string }
}

const labels: Record<FileEncoding, string> = {
  'utf-8': 'utf-8',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  'latin-1': 'windows-1252',
}

/** Detects the encoding by its byte order mark, zero bytes and UTF-8 validity, else Latin-1. */
export function guessEncoding(bytes: Uint8Array): FileEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const start = bytes.subarray(0, 4096)
  let even = 0
  let odd = 0
  start.forEach((byte, at) => {
    if (byte !== 0) return
    if (at % 2 === 0) even++
    else odd++
  })
  if (odd > start.length / 4) return 'utf-16le'
  if (even > start.length / 4) return 'utf-16be'
  try {
    // `stream`: the last character may be incomplete.
    new Decoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return 'utf-8'
  } catch {
    return 'latin-1'
  }
}

/** Decodes the start of a file, without byte order mark and without an incomplete last character. */
export const decodeText = (bytes: Uint8Array, encoding: FileEncoding): string =>
  new Decoder(labels[encoding]).decode(bytes, { stream: true })
