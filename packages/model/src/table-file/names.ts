/** Maximum length of generated table and column names. */
export const maxNameLength = 120

/**
 * Cleans a header cell: a single line of limited length without control characters. The joiners of scripts and emoji are part of
 * words.
 */
const normalizeName = (text: string): string =>
  text
    .replaceAll(/(?:(?![\u200c\u200d])[\p{C}\s])+/gu, ' ')
    .trim()
    .slice(0, maxNameLength)

/** Returns column names for headers: non-empty and unique, ignoring case. */
export function toColumnNames(headings: readonly string[]): string[] {
  const taken = new Set<string>()
  /** Last suffix number used, by lower-case name. */
  const numbers = new Map<string, number>()
  return headings.map((heading, index) => {
    const wanted = normalizeName(heading) || `column_${index + 1}`
    let name = wanted
    while (taken.has(name.toLowerCase())) {
      const n = (numbers.get(wanted.toLowerCase()) ?? 1) + 1
      numbers.set(wanted.toLowerCase(), n)
      name = `${wanted}_${n}`
    }
    taken.add(name.toLowerCase())
    return name
  })
}

/** Returns a table name for a file name: without folders, extensions and characters that would need quotes. */
export function toTableName(fileName: string): string {
  const base = fileName.split(/[/\\]/).at(-1) ?? ''
  const stem = base.replace(/\.gz$/i, '').replace(/\.[^.]*$/, '') || base
  const name = stem
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}_]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, maxNameLength)
  if (name === '') return 'upload'
  return /^\p{N}/u.test(name) ? `t_${name}` : name
}

/** Text that the user must type to replace a table (LIST-024). */
export const overwriteText = 'OVERWRITE'
