import type { ParsedStatement } from './inspect.ts'
import { readPath, type SqlToken } from './tokens.ts'

type Table = ParsedStatement['tables'][number]

/** Returns the table whose columns, indexes, statistics or definition a SHOW lists; none for other lists. */
export function findShownTable(words: readonly SqlToken[]): Table[] {
  const what = words.findIndex(({ text }) => /^(COLUMNS|FIELDS|INDEX|INDEXES|KEYS|STATS|CREATE)$/.test(text))
  if (what < 0) return []
  const before = words[what]?.text === 'CREATE' ? /^(TABLE|VIEW|DICTIONARY|DATABASE|SCHEMA)$/ : /^(FROM|IN|FOR)$/
  const at = words.findIndex(({ text }, index) => index > what && before.test(text))
  return at < 0 || /^(DATABASE|SCHEMA)$/.test(words[at]?.text ?? '') ? [] : readTable(words, at + 1)
}

/** Returns the table that is named at a word; `FROM t FROM d` names its schema after it. */
export function readTable(words: readonly SqlToken[], index: number): Table[] {
  const path = readPath(words, index)
  if (!path) return []
  const [name = '', schema = null, catalog = null] = path.parts.toReversed()
  const behind = /^(FROM|IN)$/.test(words[path.next]?.text ?? '') ? readPath(words, path.next + 1) : null
  return [{ catalog, schema: behind?.parts[0] ?? schema, name, span: path.span }]
}
