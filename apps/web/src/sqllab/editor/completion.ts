import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { listKeywords, quoteName, type Dialect } from './dialects.ts'
import { resolveCursorScope, tokenize, type QuerySource, type Token } from './cursor-scope.ts'

export interface CompletionTable {
  name: string
  columns: readonly { name: string; type: string }[] | undefined
}

/** Names currently available to completion. */
export interface CompletionData {
  dialect: Dialect
  schemas: readonly string[]
  /** Tables of the chosen schema. */
  tables: readonly CompletionTable[]
  /** False while names are loading: options are then requested again with the next key. */
  isComplete: boolean
  /** Tables of another schema; undefined while they are being fetched. */
  tablesOf(schema: string): readonly CompletionTable[] | undefined
  /** Requests missing columns of tables of the selected schema. */
  want(names: readonly string[]): void
  functions: readonly string[]
  /** Past queries, newest first. */
  past: readonly string[]
  /** Returns the range of the statement at the cursor. */
  statement(cursor: number): { from: number; to: number } | undefined
}

/** Keyword 100, function 90, schema 60, table 55, column 50, as boosts; options that fit the cursor rank above the others. */
const boosts = {
  keyword: 0,
  openingKeyword: -5,
  rareKeyword: -60,
  function: -10,
  schema: -40,
  table: -45,
  column: -50,
  past: -80,
}
const fits = { column: 95, cte: 94, table: 90, schema: 80, atHand: 85 }
/** Ranks matches inside a word below matches at the start of a word. */
const insideBoost = -99
/** Largest schema whose columns are fetched before FROM names a table; in larger ones, only known columns are offered. */
const maxTablesAtHand = 12

/** Keywords that mostly start a statement rank below others when the cursor is inside of one. */
const openings = new Set(['CREATE', 'DELETE', 'DROP', 'EXPLAIN', 'INSERT', 'UPDATE'])

const maxOptions = 400

/** Keeps names that contain the typed letters in order; contiguous matches come first. */
function filterNames<T>(items: readonly T[], nameOf: (item: T) => string, typed: string): readonly T[] {
  if (items.length <= maxOptions) return items
  const wanted = typed.toLowerCase()
  if (wanted === '') return items.slice(0, maxOptions)
  const loose = new RegExp([...wanted].map((letter) => letter.replace(/\W/, '\\$&')).join('.*'), 'i')
  const inside: T[] = []
  const scattered: T[] = []
  for (const thing of items) {
    const name = nameOf(thing)
    if (name.toLowerCase().includes(wanted)) inside.push(thing)
    else if (scattered.length < maxOptions && loose.test(name)) scattered.push(thing)
    if (inside.length >= maxOptions) break
  }
  return [...inside, ...scattered].slice(0, maxOptions)
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Decides by the token before the cursor what may follow: a table after FROM, else a column. */
const wantsTable = (before: Token | undefined, tokens: readonly Token[]): boolean => {
  const keyword = before?.kind === 'sign' ? '' : (before?.text.toLowerCase() ?? '')
  if (['from', 'join', 'into', 'update', 'table', 'describe', 'summarize'].includes(keyword)) return true
  if (before?.kind !== 'sign' || before.text !== ',') return false
  const clause = tokens.findLast(
    (token) =>
      token.kind === 'word' &&
      token.from < before.from &&
      /^(select|from|where|group|order|having|on|set|values)$/i.test(token.text),
  )
  return clause?.text.toLowerCase() === 'from'
}

/** Completes from the syntax tree of the statement at the cursor and the known names of the database. */
export const completeSql =
  (known: () => CompletionData) =>
  (context: CompletionContext): CompletionResult | null => {
    const { state, pos } = context
    const all = known()
    const typed = context.matchBefore(/[\w$]*$/)
    const from = typed?.from ?? pos
    const opening = state.sliceDoc(Math.max(0, from - 1), from)
    const isQuoted = opening === '"' || opening === '`'
    const nameFrom = isQuoted ? from - 1 : from
    const statement = all.statement(pos)
    const tokens = tokenize(state, statement?.from ?? pos, Math.max(statement?.to ?? pos, pos))
    const before = tokens.findLast((token) => token.to <= nameFrom)
    const inText = tokens.some(
      (token) => token.kind === 'sign' && token.text === '' && token.from < pos && pos < token.to,
    )
    if (inText || isInComment(context)) return null
    const { sources, ctes } = resolveCursorScope(
      // The word being typed is not a name yet.
      tokens.filter((token) => token.kind === 'sign' || token.to !== pos || token.from !== nameFrom),
      pos,
    )
    wantColumns(sources, all)

    const result = (options: Completion[], isReusable: boolean): CompletionResult => ({
      from: nameFrom,
      options,
      ...(isReusable && !isQuoted && all.isComplete && { validFor: /^[\w$]*$/ }),
    })
    if (before?.kind === 'sign' && before.text === '.' && before.to === nameFrom) {
      const options = afterPoint(pathBefore(tokens, before), sources, all, typed?.text ?? '')
      return options.length > 0 ? result(options, options.length < maxOptions) : null
    }
    if (typed?.from === typed?.to && !context.explicit && !isQuoted) return null
    if (/^\d/.test(typed?.text ?? '')) return null

    // A new alias is the user's own choice.
    if (!context.explicit && before?.kind === 'word' && before.text.toLowerCase() === 'as') return null

    const isSmall = /^[a-z]/.test(typed?.text ?? '')
    const table = wantsTable(before, tokens)
    const prefetched = sources.length === 0 && before !== undefined && !table ? listPrefetchedTables(all) : []
    const tables = filterNames(all.tables, ({ name }) => name, typed?.text ?? '')
    const options: Completion[] = [
      ...sources.flatMap((source) => columnOptions(source, all, table ? boosts.column : fits.column)),
      ...prefetched.flatMap((name) => columnOptions(tableSource(name), all, fits.atHand)),
      ...sources
        .filter(({ name }) => name !== '')
        .map(({ name }): Completion => ({
          label: name,
          apply: quoteName(name, all.dialect),
          type: 'variable',
          detail: 'alias',
          boost: table ? boosts.column : fits.column - 2,
        })),
      ...ctes.map(({ name }): Completion => ({
        label: name,
        apply: quoteName(name, all.dialect),
        type: 'class',
        detail: 'with',
        boost: table ? fits.cte : boosts.table,
      })),
      ...tables.map(({ name }): Completion => tableOption(name, all.dialect, table ? fits.table : boosts.table)),
      ...filterNames(all.schemas, (name) => name, typed?.text ?? '').map((name): Completion => ({
        label: name,
        apply: quoteName(name, all.dialect),
        type: 'namespace',
        detail: 'schema',
        boost: table ? fits.schema : boosts.schema,
      })),
    ]
    if (!isQuoted) {
      const functions = new Set(all.functions.map((name) => name.toLowerCase()))
      options.push(
        // Grammars list functions as keywords: each is offered once.
        ...listKeywords(all.dialect)
          .filter(({ word, isUsual }) => isUsual || !functions.has(word.toLowerCase()))
          .map(({ word, isUsual }): Completion => ({
            // Matches the case of the typed letters.
            label: isSmall ? word.toLowerCase() : word,
            type: 'keyword',
            boost: !isUsual
              ? boosts.rareKeyword
              : before && openings.has(word)
                ? boosts.openingKeyword
                : boosts.keyword,
          })),
        ...all.functions.map((name): Completion => ({
          label: name,
          apply: `${name}(`,
          type: 'function',
          detail: 'function',
          boost: boosts.function,
        })),
      )
      if (!before) options.push(...all.past.map(pastOption))
    }
    // Ranking depends on the typed letters: without any, the first letter requests again.
    return result(unique(options).map(ranked(typed?.text ?? '')), tables.length < maxOptions && typed?.text !== '')
  }

/** Tables whose columns may be meant before FROM names one. */
function listPrefetchedTables({ tables, want }: CompletionData): string[] {
  const missing = tables.filter(({ columns }) => !columns).map(({ name }) => name)
  if (tables.length <= maxTablesAtHand && missing.length > 0) want(missing)
  return tables.filter(({ columns }) => columns).map(({ name }) => name)
}

const tableSource = (name: string): QuerySource => ({ name, path: [name], columns: [], stars: [] })

const ranked =
  (typed: string) =>
  (option: Completion): Completion =>
    typed !== '' && isInside(option.label, typed) ? { ...option, boost: insideBoost } : option

/** Returns whether the name contains the letters contiguously, but never at the start of one of its words. */
function isInside(label: string, typed: string): boolean {
  const [name, letters] = [label.toLowerCase(), typed.toLowerCase()]
  let index = name.indexOf(letters)
  if (index < 0) return false
  for (; index >= 0; index = name.indexOf(letters, index + 1))
    if (index === 0 || !/[a-z0-9]/.test(name[index - 1] ?? '')) return false
  return true
}

const isInComment = ({ state, pos }: CompletionContext): boolean => {
  const line = state.doc.lineAt(pos)
  return /^\s*--/.test(line.text) && pos > line.from + line.text.indexOf('--') + 1
}

function wantColumns(sources: readonly QuerySource[], { tables, want }: CompletionData): void {
  const missing = flat(sources).flatMap(({ path }) => {
    const table = path.length > 0 ? tables.find(({ name }) => sameName(name, path.at(-1) ?? '')) : undefined
    return table && !table.columns ? [table.name] : []
  })
  if (missing.length > 0) want([...new Set(missing)])
}

const flat = (sources: readonly QuerySource[]): QuerySource[] =>
  sources.flatMap((source) => [source, ...flat(source.stars)])

function findTable({ path }: QuerySource, all: CompletionData): CompletionTable | undefined {
  const name = path.at(-1)
  if (name === undefined) return undefined
  const schema = path.at(-2)
  return (
    (schema === undefined ? undefined : all.tablesOf(schema)?.find((table) => sameName(table.name, name))) ??
    all.tables.find((table) => sameName(table.name, name))
  )
}

function columnOptions(source: QuerySource, all: CompletionData, boost: number): Completion[] {
  const own = source.columns.map((name): Completion => ({
    label: name,
    apply: quoteName(name, all.dialect),
    type: 'property',
    detail: source.name,
    boost,
  }))
  const isTable = own.length === 0 && source.stars.length === 0
  const table = isTable ? findTable(source, all) : undefined
  return [
    ...own,
    ...source.stars.flatMap((star) => columnOptions(star, all, boost)),
    ...(table?.columns ?? []).map(({ name, type }): Completion => ({
      label: name,
      apply: quoteName(name, all.dialect),
      type: 'property',
      detail: `${type.toLowerCase()} · ${source.name}`,
      boost,
    })),
  ]
}

const tableOption = (name: string, dialect: Dialect, boost: number): Completion => ({
  label: name,
  apply: quoteName(name, dialect),
  type: 'class',
  detail: 'table',
  boost,
})

const maxLabelLength = 60
const pastOption = (sql: string): Completion => ({
  label: sql.replaceAll(/\s+/g, ' ').slice(0, maxLabelLength),
  apply: sql,
  type: 'text',
  detail: 'past query',
  boost: boosts.past,
})

/** `a.b.` -> ['a', 'b']. */
function pathBefore(tokens: readonly Token[], point: Token): string[] {
  const path: string[] = []
  let index = tokens.indexOf(point)
  while (index > 0 && tokens[index]?.text === '.' && tokens[index - 1]?.kind !== 'sign') {
    path.unshift(tokens[index - 1]?.text ?? '')
    index -= 2
  }
  return path
}

function afterPoint(
  path: readonly string[],
  sources: readonly QuerySource[],
  all: CompletionData,
  typed: string,
): Completion[] {
  const [owner = '', second] = path
  if (second === undefined) {
    const source = sources.find(({ name }) => sameName(name, owner))
    const table = all.tables.find(({ name }) => sameName(name, owner))
    // The name being typed after FROM is itself a source, without columns.
    const columns = source ? columnOptions(source, all, fits.column) : []
    if (columns.length > 0) return columns
    if (table) return columnOptions(tableSource(table.name), all, fits.column)
  }
  const schema = all.schemas.find((name) => sameName(name, path.at(-1) ?? ''))
  if (schema !== undefined)
    return filterNames(all.tablesOf(schema) ?? [], ({ name }) => name, typed).map(({ name }) =>
      tableOption(name, all.dialect, fits.table),
    )
  return columnOptions({ name: path.at(-1) ?? '', path, columns: [], stars: [] }, all, fits.column)
}

function unique(options: readonly Completion[]): Completion[] {
  const seen = new Set<string>()
  return options.filter(({ label, type, detail }) => {
    const key = `${type} ${label} ${type === 'property' ? detail : ''}`
    return !seen.has(key) && seen.add(key)
  })
}
