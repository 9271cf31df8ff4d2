const maxCharacters = 100

/**
 * Returns a title as the name of a file, without an ending, that every system and mail program accepts: no reserved or invisible characters, none of
 * the names that Windows reserves.
 */
export function toFileName(title: string, otherwise = 'report'): string {
  const plain = title
    .normalize('NFC')
    .replaceAll(/[\\/:*?"<>|%\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
  const short = [...plain]
    .slice(0, maxCharacters)
    .join('')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '')
  if (short === '') return otherwise
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(short) ? `_${short}` : short
}
