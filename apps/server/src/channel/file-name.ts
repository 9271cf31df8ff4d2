const maxLength = 120

/**
 * A name that is a single file on every system: no separators, control characters, reserved characters, leading or trailing dots.
 * Letters of all scripts stay.
 */
export function safeFileName(name: string): string {
  const cleaned = name
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029/\\:*?"<>|]+/gu, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '')
  const [, stem = cleaned, extension = ''] = /^(.+?)(\.[A-Za-z\d]{1,8})?$/u.exec(cleaned) ?? []
  const short = truncate(stem, maxLength).replace(/[.\s]+$/, '')
  return `${short === '' ? 'report' : short}${extension}`
}

/** Truncates to bytes in UTF-8, which limit names of files, at the end of a character. */
function truncate(text: string, bytes: number): string {
  let [kept, size] = ['', 0]
  for (const character of text) {
    size += Buffer.byteLength(character)
    if (size > bytes) break
    kept += character
  }
  return kept
}
