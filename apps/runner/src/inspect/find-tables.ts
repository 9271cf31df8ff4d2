import type { ParsedStatement } from './inspect.ts'
import { readPath, type SqlToken } from './tokens.ts'

type Table = ParsedStatement['tables'][number]

/** Returns the table whose columns, indexes, statistics or definition a SHOW lists; none for other lists. */
export function findShownTable(tokens: readonly SqlToken[]): Table[] {
  const objectIndex = tokens.findIndex(({ text }) => /^(COLUMNS|FIELDS|INDEX|INDEXES|KEYS|STATS|CREATE)$/.test(text))
  if (objectIndex < 0) return []
  const before =
    tokens[objectIndex]?.text === 'CREATE' ? /^(TABLE|VIEW|DICTIONARY|DATABASE|SCHEMA)$/ : /^(FROM|IN|FOR)$/
  const at = tokens.findIndex(({ text }, index) => index > objectIndex && before.test(text))
  return at < 0 || /^(DATABASE|SCHEMA)$/.test(tokens[at]?.text ?? '') ? [] : readTable(tokens, at + 1)
}

/** Returns the table that is named at a word; `FROM t FROM d` names its schema after it. */
export function readTable(tokens: readonly SqlToken[], index: number): Table[] {
  const path = readPath(tokens, index)
  if (!path) return []
  const [name = '', schema = null, catalog = null] = path.parts.toReversed()
  const behind = /^(FROM|IN)$/.test(tokens[path.next]?.text ?? '') ? readPath(tokens, path.next + 1) : null
  return [{ catalog, schema: behind?.parts[0] ?? schema, name, span: path.span }]
}
