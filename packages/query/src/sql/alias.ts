import type { Dialect } from './dialect.ts'

/**
 * Alias of a label in the statement: the label itself, its beginning and a hash if the engine truncates names, or the label and a
 * hash if it must not equal the name of a column.
 */
export function buildAlias(label: string, { maxNameBytes, aliasesHideColumns }: Dialect): string {
  if (aliasesHideColumns) return `${label}_${hash(label)}`
  if (maxNameBytes === null || utf8Length(label) <= maxNameBytes) return label
  let start = ''
  for (const character of label) {
    if (utf8Length(start + character) > maxNameBytes - 9) break
    start += character
  }
  return `${start}_${hash(label)}`
}

function utf8Length(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}

/** FNV-1a, 32 bits, as 8 hexadecimal digits; distinguishes labels, not for security. */
function hash(text: string): string {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  return (state >>> 0).toString(16).padStart(8, '0')
}
