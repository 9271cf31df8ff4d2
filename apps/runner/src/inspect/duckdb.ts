import { indexOfByte, indexOfCodePoint } from '@parquetry/model/position'
import { tokenizeSql } from '@parquetry/sql'
import {
  findNameSpan,
  findNumberSpan,
  type ParsedStatement,
  ParseError,
  shiftSpans,
  unknownStatement,
} from './inspect.ts'

/** A node of the tree from `json_serialize_sql`. */
interface Node {
  [key: string]: unknown
}

interface Serialized {
  error: boolean
  error_type?: string
  error_message?: string
  position?: string
  statements?: { node: Node }[]
}

/** Names of WITH that hide tables, in lower case. */
type Scope = ReadonlySet<string>

/** Tables and queries whose nodes are known; any other node type makes the statement not known to be read-only. */
const known = new Set([
  'SELECT_NODE',
  'SET_OPERATION_NODE',
  'RECURSIVE_CTE_NODE',
  'CTE_NODE',
  'BASE_TABLE',
  'SUBQUERY',
  'JOIN',
  'TABLE_FUNCTION',
  'EXPRESSION_LIST',
  'EMPTY',
  'PIVOT',
  'SHOW_REF',
])
const tableLike = /(_NODE|_REF|_TABLE|_GET|_SCAN|_DATA)$/

/**
 * Parses one statement from the tree of the engine. A statement that the engine does not serialize is not a SELECT; EXPLAIN is
 * removed first.
 * @param serialize the engine's `json_serialize_sql`
 */
export async function parseDuckdb(
  statement: string,
  serialize: (sql: string) => Promise<string>,
): Promise<ParsedStatement> {
  const explained = findExplained(statement)
  const sql = statement.slice(explained)
  const tree = JSON.parse(await serialize(sql)) as Serialized
  if (tree.error) {
    // The parser counts code points, unlike the locations in its trees, which are bytes.
    const offset = explained + indexOfCodePoint(sql, Number(tree.position ?? 0))
    if (tree.error_type === 'parser') throw new ParseError(tree.error_message ?? 'syntax error', offset)
    return unknownStatement(tokenizeSql(sql, 'duckdb')[0]?.text.toLowerCase() ?? 'unknown')
  }
  const [node, second] = tree.statements ?? []
  if (!node || second) return unknownStatement('unknown')
  const walker = new Walker(sql)
  walker.visit(node.node, new Set())
  const parsed = walker.parsed(node.node)
  if (explained === 0) return parsed
  return {
    ...shiftSpans(parsed, explained),
    kind: 'explain',
    ownLimit: null,
    limitSpan: null,
    takesLimit: false,
  }
}

/** Returns the start of the explained statement; 0 without EXPLAIN. */
function findExplained(statement: string): number {
  const tokens = tokenizeSql(statement, 'duckdb')
  if (tokens[0]?.kind !== 'word' || tokens[0].text !== 'EXPLAIN') return 0
  let next = 1
  if (tokens[next]?.text === 'ANALYZE') next++
  if (tokens[next]?.kind === 'open' && tokens[next + 1]?.kind === 'word' && tokens[next + 1]?.text !== 'SELECT') {
    while (next < tokens.length && tokens[next]?.kind !== 'close') next++
    next++
  }
  return tokens[next]?.start ?? 0
}

class Walker {
  #sql: string
  #tables: ParsedStatement['tables'] = []
  #functions = new Set<string>()
  #tableFunctions = new Set<string>()
  #isKnown = true

  constructor(sql: string) {
    this.#sql = sql
  }

  visit(value: unknown, scope: Scope): void {
    if (Array.isArray(value)) for (const item of value) this.visit(item, scope)
    else if (typeof value === 'object' && value !== null) this.#node(value as Node, scope)
  }

  parsed(root: Node): ParsedStatement {
    const shown = nonEmptyText((root['from_table'] as Node | undefined)?.['show_type'])
    const kind =
      shown === null ? 'select' : shown === 'DESCRIBE' ? 'describe' : shown === 'SUMMARY' ? 'summarize' : 'show'
    const modifiers = (root['modifiers'] ?? []) as Node[]
    const limits = modifiers.filter(({ type }) => String(type).startsWith('LIMIT'))
    const limit = limits.find(({ type }) => type === 'LIMIT_MODIFIER')?.['limit'] as Node | undefined
    const number = limit ? this.#plainLimit(limit) : null
    return {
      kind,
      readOnly: this.#isKnown,
      tables: this.#tables,
      functions: [...this.#functions],
      tableFunctions: [...this.#tableFunctions],
      ownLimit: number?.rows ?? null,
      limitSpan: number?.span ?? null,
      hasOrder: modifiers.some(({ type }) => type === 'ORDER_MODIFIER'),
      takesLimit: kind === 'select' && limit === undefined && limits.every(({ type }) => type === 'LIMIT_MODIFIER'),
    }
  }

  #plainLimit({ type, value, query_location }: Node): { rows: number; span: [number, number] } | null {
    const rows = (value as Node | undefined)?.['value']
    const span = findNumberSpan(this.#sql, this.#index(query_location))
    return type === 'VALUE_CONSTANT' && typeof rows === 'number' && span && Number(this.#sql.slice(...span)) === rows
      ? { rows, span }
      : null
  }

  #node(node: Node, scope: Scope): void {
    const type = nonEmptyText(node['type']) ?? ''
    if (node['class'] === undefined && tableLike.test(type) && !known.has(type)) this.#isKnown = false
    if (type === 'BASE_TABLE') this.#table(node, scope)
    if (type === 'SHOW_REF') this.#shown(node)
    if (type === 'TABLE_FUNCTION') return this.#tableFunction(node, scope)
    if (node['class'] === 'FUNCTION' || node['class'] === 'WINDOW') {
      const name = nonEmptyText(node['function_name'])
      if (name && node['is_operator'] !== true) this.#functions.add(name)
    }
    this.#fields(node, type, scope)
  }

  #fields(node: Node, type: string, outer: Scope): void {
    const scope = this.#withNames(node, outer)
    // Both kinds of WITH nodes define their name for the side that follows; a recursive one for itself as well.
    const name = type === 'RECURSIVE_CTE_NODE' || type === 'CTE_NODE' ? nonEmptyText(node['cte_name']) : null
    const inside = name === null ? scope : new Set([...scope, name.toLowerCase()])
    for (const [key, value] of Object.entries(node)) {
      if (key === 'cte_map') continue
      const isBefore = key === 'left' || key === 'query'
      this.visit(value, name !== null && isBefore ? scope : inside)
    }
  }

  /** Visits the queries of WITH, each seeing those before it, and returns the scope of what follows. */
  #withNames(node: Node, outer: Scope): Scope {
    const entries = ((node['cte_map'] as Node | undefined)?.['map'] ?? []) as { key: string; value: Node }[]
    let scope = outer
    for (const { key, value } of entries) {
      this.visit(value, scope)
      scope = new Set([...scope, key.toLowerCase()])
    }
    return scope
  }

  #table({ catalog_name, schema_name, table_name, query_location }: Node, scope: Scope): void {
    const catalog = nonEmptyText(catalog_name)
    const schema = nonEmptyText(schema_name)
    const name = nonEmptyText(table_name) ?? ''
    if (catalog === null && schema === null && scope.has(name.toLowerCase())) return
    this.#tables.push({ catalog, schema, name, span: findNameSpan(this.#sql, this.#index(query_location), 'duckdb') })
  }

  /** SHOW names a list and not a table; it counts as a function in FROM under the engine's name of that list. */
  #shown({ query, table_name, show_type }: Node): void {
    if (query !== undefined) return
    const list = nonEmptyText(table_name)?.replaceAll('"', '') ?? String(show_type)
    this.#tableFunctions.add(`show_${list}`.toLowerCase())
  }

  #tableFunction(node: Node, scope: Scope): void {
    const call = node['function'] as Node | undefined
    const name = nonEmptyText(call?.['function_name'])
    if (call && name) {
      this.#tableFunctions.add(name)
      this.visit(call['children'], scope)
    } else this.#isKnown = false
    const { function: _, ...rest } = node
    this.#fields(rest, 'TABLE_FUNCTION', scope)
  }

  #index(location: unknown): number {
    return typeof location === 'number' ? indexOfByte(this.#sql, location) : this.#sql.length
  }
}

const nonEmptyText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
