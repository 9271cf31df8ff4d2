/** Encodings of text files. `latin-1` means Windows-1252, of which Latin-1 is a part. */
export const fileEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'latin-1',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'iso-8859-2',
  'koi8-r',
  'gbk',
  'big5',
  'shift-jis',
  'euc-jp',
  'euc-kr',
] as const
export type FileEncoding = (typeof fileEncodings)[number]

interface Decoder {
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string
}
/** Browser and Node both have a decoder, but neither's types are available here. */
const { TextDecoder } = globalThis as unknown as {
  TextDecoder: new (label: string, options?: { fatal?: boolean }) => Decoder
}

/** Labels of the Encoding standard, where they differ. GB 18030 includes GBK. */
const labels: Partial<Record<FileEncoding, string>> = {
  'latin-1': 'windows-1252',
  gbk: 'gb18030',
  'shift-jis': 'shift_jis',
}

/** @param fatal  throws a TypeError for bytes that are not valid, instead of replacing them */
export const createDecoder = (encoding: FileEncoding, fatal = false): Decoder =>
  new TextDecoder(labels[encoding] ?? encoding, { fatal })

/**
 * Detects the encoding by its byte order mark, zero bytes and UTF-8 validity; else by the bytes of East Asian and Cyrillic texts;
 * else Windows-1252.
 */
export function guessEncoding(bytes: Uint8Array): FileEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const start = bytes.subarray(0, 4096)
  let even = 0
  let odd = 0
  start.forEach((byte, index) => {
    if (byte !== 0) return
    if (index % 2 === 0) even++
    else odd++
  })
  if (odd > start.length / 4) return 'utf-16le'
  if (even > start.length / 4) return 'utf-16be'
  if (tryDecode(bytes, 'utf-8') !== null) return 'utf-8'
  return guessRegionalEncoding(bytes.subarray(0, 65_536))
}

/** Decodes the start of a file; null if it is not valid. An incomplete last character does not count. */
function tryDecode(bytes: Uint8Array, encoding: FileEncoding): string | null {
  try {
    return createDecoder(encoding, true).decode(bytes, { stream: true })
  } catch {
    return null
  }
}

/** Share of the characters beyond ASCII that match. */
function shareOf(text: string | null, pattern: RegExp): number {
  const foreign = text?.match(/[^\0-\u007f]/gu) ?? []
  return foreign.length === 0 ? 0 : foreign.filter((sign) => pattern.test(sign)).length / foreign.length
}

/** Most characters of East Asian texts are two bytes beyond ASCII, so these come in pairs; those of European ones stand alone. */
function guessRegionalEncoding(bytes: Uint8Array): FileEncoding {
  if (shareOf(tryDecode(bytes, 'shift-jis'), /[\u3040-\u30ff]/) > 0.3) return 'shift-jis'
  if (shareOf(tryDecode(bytes, 'euc-jp'), /[\u3040-\u309f]/) > 0.2) return 'euc-jp'
  const runs: Uint8Array[] = []
  for (let index = 0; index < bytes.length; index++) {
    const start = index
    while ((bytes[index] ?? 0) >= 0x80) index++
    if (index > start && index < bytes.length) runs.push(bytes.subarray(start, index))
  }
  const high = runs.reduce((sum, { length }) => sum + length, 0)
  const inPairs = runs.filter(({ length }) => length % 2 === 0).reduce((sum, { length }) => sum + length, 0)
  if (high > 0 && inPairs / high > 0.95) {
    const leads = runs.flatMap((run) => [...run].filter((_, index) => index % 2 === 0))
    const common = (last: number) => leads.filter((lead) => lead >= 0xa1 && lead <= last).length / leads.length
    if (common(0xc8) === 1 && shareOf(tryDecode(bytes, 'euc-kr'), /\p{Script=Hangul}/u) > 0.9 && leads.length >= 20)
      return 'euc-kr'
    if (common(0xd7) > 0.8 && tryDecode(bytes, 'gbk') !== null) return 'gbk'
  }
  const cyrillic = runs.flatMap((run) => [...run]).filter((byte) => byte >= 0xe0).length
  if (high / Math.max(1, runs.length) >= 3 && cyrillic / high > 0.6) return 'windows-1251'
  // Letters of Central Europe are symbols in Windows-1252, which do not occur inside words.
  const signs = tryDecode(bytes, 'latin-1')?.match(/\p{L}[³¹¿¾]\p{L}|(?<![\p{L}\d])[£¯]\p{Ll}/gu)?.length ?? 0
  return signs > runs.length / 10 ? 'windows-1250' : 'latin-1'
}

/** Decodes the start of a file, without byte order mark and without an incomplete last character. */
export const decodeText = (bytes: Uint8Array, encoding: FileEncoding): string =>
  createDecoder(encoding).decode(bytes, { stream: true })
