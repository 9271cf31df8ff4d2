import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

/** A leaf of the syntax tree. Names are unquoted. */
export interface Token {
  kind: 'word' | 'name' | 'sign'
  text: string
  from: number
  to: number
}

/** Time in ms that completion may wait for the syntax tree of a text that is not parsed yet. */
const parseMs = 20

/** Words, names and signs of a range of the text; comments, strings and numbers are signs without text. */
export function tokenize(state: EditorState, from: number, to: number): Token[] {
  const tree = ensureSyntaxTree(state, to, parseMs) ?? syntaxTree(state)
  const tokens: Token[] = []
  tree.iterate({
    from,
    to,
    enter: (node) => {
      if (node.from < from || node.to > to) return
      if (node.node.firstChild) return
      if (node.name === 'LineComment' || node.name === 'BlockComment' || node.from === node.to) return
      const text = state.sliceDoc(node.from, node.to)
      const span = { from: node.from, to: node.to }
      if (node.name === 'QuotedIdentifier') tokens.push({ kind: 'name', text: unquoted(text), ...span })
      else if (/^(Identifier|Keyword|Type|Builtin|Bool|Null)$/.test(node.name))
        tokens.push({ kind: node.name === 'Identifier' ? 'name' : 'word', text, ...span })
      else if (/^(String|Number|Bits|Bytes)$/.test(node.name)) tokens.push({ kind: 'sign', text: '', ...span })
      else
        for (const [at, sign] of [...text].entries())
          tokens.push({ kind: 'sign', text: sign, from: node.from + at, to: node.from + at + 1 })
    },
  })
  return tokens
}

const unquoted = (text: string): string => {
  const quote = text[0] ?? ''
  const end = text.length > 1 && text.endsWith(quote) ? -1 : undefined
  return text.slice(1, end).replaceAll(quote + quote, quote)
}

/** An item of a FROM clause, as visible at the cursor. */
export interface QuerySource {
  /** The alias, else the name. */
  name: string
  /** The path as written; empty for a subquery. */
  path: readonly string[]
  /** Columns that the text itself defines, for a CTE or a subquery. `stars` are sources whose columns are included. */
  columns: readonly string[]
  stars: readonly QuerySource[]
}

export interface CursorScope {
  /** Nearest first: those of the select around the cursor, then of the enclosing ones. */
  sources: readonly QuerySource[]
  /** Common table expressions of the statement. */
  ctes: readonly QuerySource[]
}

const joins = new Set(['from', 'join', 'into', 'update', 'table', 'describe', 'summarize'])
const ends = new Set(
  'where group order having limit offset on using join left right full inner cross outer natural asof semi anti positional union intersect except window qualify set values select returning fetch for with prewhere settings format sample tablesample pivot unpivot lateral'.split(
    ' ',
  ),
)

const low = (token: Token | undefined): string => (token?.kind === 'sign' ? '' : (token?.text.toLowerCase() ?? ''))
const isSign = (token: Token | undefined, sign: string): boolean => token?.kind === 'sign' && token.text === sign

/** Index of the bracket that closes the one at `at`; the end if it is not closed. */
function closing(tokens: readonly Token[], at: number): number {
  let depth = 0
  for (let index = at; index < tokens.length; index++) {
    if (isSign(tokens[index], '(')) depth++
    else if (isSign(tokens[index], ')') && --depth === 0) return index
  }
  return tokens.length
}

/** Finds the names visible at the cursor, from the tokens of its statement. */
export function resolveCursorScope(tokens: readonly Token[], cursor: number): CursorScope {
  const ctes: QuerySource[] = []
  const groups: (readonly Token[])[] = []
  let group: readonly Token[] = tokens
  for (;;) {
    groups.unshift(group)
    readCtes(group, ctes)
    const inner = innerGroup(group, cursor)
    if (!inner) break
    group = inner
  }
  return { sources: groups.flatMap((part) => readSources(part, ctes)), ctes }
}

function innerGroup(tokens: readonly Token[], cursor: number): readonly Token[] | null {
  for (let index = 0; index < tokens.length; index++) {
    if (!isSign(tokens[index], '(')) continue
    const end = closing(tokens, index)
    const to = tokens[end]?.from ?? Infinity
    if ((tokens[index] as Token).to <= cursor && cursor <= to) return tokens.slice(index + 1, end)
    index = end
  }
  return null
}

function readCtes(tokens: readonly Token[], into: QuerySource[]): void {
  for (let index = 0; index < tokens.length; index++) {
    if (isSign(tokens[index], '(')) {
      index = closing(tokens, index)
      continue
    }
    if (low(tokens[index]) !== 'with') continue
    let next = index + 1
    if (low(tokens[next]) === 'recursive') next++
    while (tokens[next]) {
      const name = tokens[next]?.text ?? ''
      next++
      let named: string[] = []
      if (isSign(tokens[next], '(')) {
        const end = closing(tokens, next)
        named = tokens
          .slice(next + 1, end)
          .filter(({ kind }) => kind !== 'sign')
          .map(({ text }) => text)
        next = end + 1
      }
      while (['as', 'not', 'materialized'].includes(low(tokens[next]))) next++
      if (!isSign(tokens[next], '(')) break
      const end = closing(tokens, next)
      const inner = readSelectOutput(tokens.slice(next + 1, end), into)
      into.push({
        name,
        path: [name],
        columns: named.length > 0 ? named : inner.columns,
        stars: named.length > 0 ? [] : inner.stars,
      })
      next = end + 1
      if (!isSign(tokens[next], ',')) break
      next++
    }
    index = next - 1
  }
}

/** Names of a select's output columns. */
function readSelectOutput(
  tokens: readonly Token[],
  ctes: readonly QuerySource[],
): Pick<QuerySource, 'columns' | 'stars'> {
  const start = tokens.findIndex((token) => low(token) === 'select')
  if (start < 0) return { columns: [], stars: readSources(tokens, ctes) }
  const columns: string[] = []
  const stars: QuerySource[] = []
  const sources = readSources(tokens, ctes)
  let item: Token[] = []
  const finish = (): void => {
    const last = item.at(-1)
    if (isSign(last, '*')) {
      const owner = isSign(item.at(-2), '.') ? low(item.at(-3)) : ''
      stars.push(...sources.filter(({ name }) => owner === '' || name.toLowerCase() === owner))
    } else if (last && last.kind !== 'sign' && low(last) !== 'end') columns.push(last.text)
    item = []
  }
  for (let index = start + 1; index < tokens.length; index++) {
    const token = tokens[index] as Token
    if (isSign(token, '(')) {
      item.push(token)
      index = closing(tokens, index)
      const end = tokens[index]
      if (end) item.push(end)
    } else if (isSign(token, ',')) finish()
    else if (low(token) === 'from' || ['where', 'union', 'group', 'order', 'limit'].includes(low(token))) break
    else if (!['distinct', 'all'].includes(low(token))) item.push(token)
  }
  finish()
  return { columns, stars }
}

function readSources(tokens: readonly Token[], ctes: readonly QuerySource[]): QuerySource[] {
  const found: QuerySource[] = []
  for (let index = 0; index < tokens.length; index++) {
    if (isSign(tokens[index], '(')) {
      index = closing(tokens, index)
      continue
    }
    if (!joins.has(low(tokens[index]))) continue
    index++
    for (;;) {
      while (['lateral', 'only', 'table', 'if', 'exists', 'not'].includes(low(tokens[index]))) index++
      const read = readSource(tokens, index, ctes)
      if (!read) break
      if (read.source) found.push(read.source)
      index = read.next
      if (!isSign(tokens[index], ',')) break
      index++
    }
    index--
  }
  return found
}

function readSource(
  tokens: readonly Token[],
  start: number,
  ctes: readonly QuerySource[],
): { source: QuerySource | null; next: number } | null {
  let next = start
  let source: QuerySource | null = null
  if (isSign(tokens[next], '(')) {
    const end = closing(tokens, next)
    source = { name: '', path: [], ...readSelectOutput(tokens.slice(next + 1, end), ctes) }
    next = end + 1
  } else {
    const path: string[] = []
    while (
      tokens[next] &&
      tokens[next]?.kind !== 'sign' &&
      !(tokens[next]?.kind === 'word' && ends.has(low(tokens[next])))
    ) {
      path.push(tokens[next]?.text ?? '')
      next++
      if (!isSign(tokens[next], '.')) break
      next++
    }
    if (path.length === 0) return null
    const name = path.at(-1) ?? ''
    const cte = path.length === 1 ? ctes.find((other) => other.name.toLowerCase() === name.toLowerCase()) : undefined
    source = cte ?? { name, path, columns: [], stars: [] }
    // A table function.
    if (isSign(tokens[next], '(')) next = closing(tokens, next) + 1
  }
  if (low(tokens[next]) === 'as') next++
  const alias = tokens[next]
  if (alias && alias.kind !== 'sign' && !ends.has(low(alias))) {
    source = { ...source, name: alias.text }
    next++
  }
  return { source: source.name === '' ? { ...source, name: '' } : source, next }
}
