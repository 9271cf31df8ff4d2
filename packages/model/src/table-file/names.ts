/** Longest name of a table or column that we make. */
export const maxNameLength = 120

/** A name from a heading: one line, no control characters, not empty, not too long. */
const normalizeName = (text: string): string =>
  text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, maxNameLength)

/** Names of columns from headings: none empty, no two alike whatever their case. */
export function toColumnNames(headings: readonly string[]): string[] {
  const taken = new Set<string>()
  /** By the name that is wanted, in small letters: the last number behind it. */
  const numbers = new Map<string, number>()
  return headings.map((heading, at) => {
    const wanted = normalizeName(heading) || `column_${at + 1}`
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

/** The name of a table from that of a file: without folders, endings and signs that would need quotes. */
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

/** What has to be typed to replace a table (LIST-024). */
export const overwriteText = 'OVERWRITE'
