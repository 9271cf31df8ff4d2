import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readNotedIds, readRequirements } from './requirements.ts'

/** Quoted texts that are not in the catalog as they are written, and where they are instead. */
const elsewhere: Record<string, string> = {
  'SQL-021': 'the menu item is `View in SQL Lab` (EXP-017)',
  'SQL-023': 'the number is a value of `Untitled Query {n}`',
  'SQL-024': 'the number is a value of `Untitled Query {n}`',
  'SQL-116': 'ends with the rest of the sentence, see SQL-116 in the catalog',
  'NATF-026': 'an error of the code, never shown',
  'CTRL-009': 'written to the console of the browser',
  'TIME-026': 'a value of documents, shown as `last week`',
  'DSET-030': 'a name that is stored',
  'LIST-028': '`{things}` is a value of the text',
  'LIST-029': '`{things}` is a value of the text',
  'LIST-030': '`{things}` is a value of the text',
  'LIST-031': '`{thing}` is a value of the text',
}

/** Values in braces or as `%s`, `[x]` or `N` are equal; straight and curly quotes too. The product's name replaces the original's. */
const normalize = (text: string): string =>
  text
    .replaceAll(/\[?(\{[^{}]*\}|%s|\bx\b(?=\]))\]?|\bN\b/g, '@')
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll('Superset', 'Parquetry')
    .trim()

/** Two words in a row, or one that begins a sentence: field names, paths and constants are not screen texts. */
const isScreenText = (quoted: string): boolean =>
  /[a-z] [a-z'A-Z(@%{[]/.test(quoted) && !/^[A-Z]+ \/|^\//.test(quoted) && !/^[A-Z]{4}-[A-Z]{2}/.test(quoted)

const catalog = globSync('messages/*.en.json').flatMap((path) =>
  Object.values(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>).map(normalize),
)

it('every screen text that the requirements quote is in the message catalog', () => {
  const noted = readNotedIds()
  const quotes = readRequirements().flatMap(({ id, text }) =>
    [...text.matchAll(/`([^`]+)`/g)].flatMap(([, quoted = '']) => (isScreenText(quoted) ? [{ id, quoted }] : [])),
  )
  expect(quotes.length).toBeGreaterThan(130)
  const missing = quotes.filter(
    ({ id, quoted }) =>
      !noted.has(id) && !(id in elsewhere) && !catalog.some((text) => text.includes(normalize(quoted))),
  )
  expect(missing.map(({ id, quoted }) => `${id}: ${quoted}`)).toEqual([])
})

it('rows that are listed as elsewhere still quote a text that the catalog does not have', () => {
  const rows = new Map(readRequirements().map(({ id, text }) => [id, text]))
  const idle = Object.keys(elsewhere).filter((id) => {
    const quoted = [...(rows.get(id) ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text).filter(isScreenText)
    return quoted.every((text) => catalog.some((known) => known.includes(normalize(text))))
  })
  expect(idle).toEqual([])
})
