import type { Parsed } from './inspect.ts'
import { pathAt, type Word } from './words.ts'

type Table = Parsed['tables'][number]

/** The table whose columns, indexes, statistics or text a SHOW gives; none for lists of other things. */
export function shownTable(words: readonly Word[]): Table[] {
  const what = words.findIndex(({ text }) => /^(COLUMNS|FIELDS|INDEX|INDEXES|KEYS|STATS|CREATE)$/.test(text))
  if (what < 0) return []
  const before = words[what]?.text === 'CREATE' ? /^(TABLE|VIEW|DICTIONARY|DATABASE|SCHEMA)$/ : /^(FROM|IN|FOR)$/
  const at = words.findIndex(({ text }, index) => index > what && before.test(text))
  return at < 0 || /^(DATABASE|SCHEMA)$/.test(words[at]?.text ?? '') ? [] : tableAt(words, at + 1)
}

/** The table that is named at a word; `FROM t FROM d` names its schema behind it. */
export function tableAt(words: readonly Word[], index: number): Table[] {
  const path = pathAt(words, index)
  if (!path) return []
  const [name = '', schema = null, catalog = null] = path.parts.toReversed()
  const behind = /^(FROM|IN)$/.test(words[path.next]?.text ?? '') ? pathAt(words, path.next + 1) : null
  return [{ catalog, schema: behind?.parts[0] ?? schema, name, span: path.span }]
}
