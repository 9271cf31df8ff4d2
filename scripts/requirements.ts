import { globSync, readFileSync } from 'node:fs'

export interface Requirement {
  id: string
  text: string
}

/** The rows of `docs/requirements.md`. */
export const readRequirements = (): Requirement[] =>
  [...readFileSync('docs/requirements.md', 'utf8').matchAll(/^\| ([A-Z]+-\d{3}) \| (.*) \|$/gm)].map(
    ([, id = '', text = '']) => ({ id, text }),
  )

/** IDs with a reason in `docs/ledger-notes.md`. */
export const readNotedIds = (): Set<string> =>
  new Set(
    [...readFileSync('docs/ledger-notes.md', 'utf8').matchAll(/^- ([A-Z]+-\d{3}): \S/gm)].map(([, id = '']) => id),
  )

const testTitle = /\b(?:it|test|describe)(?:\.\w+)*(?:\([^'"`]*\))?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g
const idsInTitle = /\b([A-Z]+)-(\d{3})(?:\s*(?:\.\.|–|-|to)\s*(?:\1-)?(\d{3}))?/g

/** IDs that a test title names; `SQL-104 to SQL-109` names all six. */
export function parseTitleIds(source: string): Set<string> {
  const ids = new Set<string>()
  for (const [, , title = ''] of source.matchAll(testTitle))
    for (const [, area, from = '', to = from] of title.matchAll(idsInTitle))
      for (let n = Number(from); n <= Number(to); n++) ids.add(`${area}-${String(n).padStart(3, '0')}`)
  return ids
}

/** IDs that some test of the project names. */
export function readTestedIds(): Set<string> {
  const tests = globSync('{apps,packages,scripts}/**/*.test.{ts,tsx}', { exclude: ['**/node_modules', '**/dist'] })
  return new Set(tests.flatMap((path) => [...parseTitleIds(readFileSync(path, 'utf8'))]))
}
