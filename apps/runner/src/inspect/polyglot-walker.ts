import { indexOfCodePoint } from '@parquetry/model/position'
import type { ParsedStatement } from './inspect.ts'
import { readPath, type SqlToken } from './tokens.ts'

/** A node of the parser's tree: `{ select: { ... } }`, or only the fields if the field defines the type. */
export interface Node {
  [key: string]: unknown
}
/** Names of WITH that hide tables, folded as the engine compares them. */
type Scope = ReadonlySet<string>

/** A node of this type anywhere makes the statement not known to be read-only. */
const writing = new RegExp(
  `^(${[
    'insert|update|delete|merge|copy|put|get|export|conditional_insert|multitable_inserts|create_\\w+|drop_\\w+|alter_\\w+',
    'undrop|truncate|truncate_table|load_data|grant|revoke|comment|set_statement|set|use|cache|uncache|refresh|attach|detach',
    'install|pragma|command|raw|kill|prepare|execute|transaction|commit|rollback|lock|locking_statement|into_clause',
    'analyze\\w*|declare|try_catch|next_value_for',
  ].join('|')})$`,
)
/** Node types allowed in FROM. */
const relations = new Set(
  `table subquery joined_table alias paren values unnest function lateral annotated match_recognize pivot unpivot
  j_s_o_n_table`.split(/\s+/),
)
/** SQLite tables that are functions without parentheses. */
const sqliteOwn = /^(pragma_\w+|dbstat|sqlite_(dbpage|stmt)|bytecode|tables_used|completion|fsdir)$/i
/** Functions whose arguments may contain a FROM that names no table. */
const fromInside = new Set(['EXTRACT', 'TRIM', 'SUBSTRING', 'SUBSTR', 'OVERLAY', 'MID'])

/** Words that may begin an element of `IN (...)` and name no table, or begin a query. */
const noNames = /^(NULL|TRUE|FALSE|INF|NAN|CASE|NOT|INTERVAL|DISTINCT|SELECT|WITH|FROM|VALUES)$/
const queryKeywords = /^(SELECT|WITH|FROM|VALUES)$/

/** Collects the tables of a tree, and checks with the text whether the tree has them all. */
export class PolyglotWalker {
  tables: ParsedStatement['tables'] = []
  tableFunctions = new Set<string>()
  isReading = true
  #plain: string
  #words: readonly SqlToken[]
  #dialect: string
  /** Positions of names of tables and of WITH. */
  #starts = new Set<number>()

  constructor(plain: string, tokens: readonly SqlToken[], dialect: string) {
    this.#plain = plain
    this.#words = tokens
    this.#dialect = dialect
  }

  visit(value: unknown, scope: Scope): void {
    if (Array.isArray(value)) for (const item of value) this.visit(item, scope)
    else if (typeof value === 'object' && value !== null) this.#node(value as Node, scope)
  }

  /**
   * Compares the tree with the text: a name after FROM or JOIN that is not a table of the tree makes the statement not known to
   * be read-only, because the parser took it for something else. Call it after the visit.
   */
  compare(): void {
    if (this.#dialect === 'clickhouse') this.#tablesInLists()
    for (const [index, token] of this.#words.entries())
      if (this.#namesTable(token, index) && !this.#isFound(index + 1)) this.isReading = false
  }

  #node(node: Node, outer: Scope): void {
    const [type, second] = Object.keys(node)
    if (type !== undefined && second === undefined && writing.test(type)) this.isReading = false
    const locks = node['locks']
    if (isNode(node['into']) || (Array.isArray(locks) && locks.length > 0)) this.isReading = false
    if (isNode(node['name']) && 'schema' in node && 'catalog' in node) this.#table(node, outer)
    if (isNode(node['in']) && node['in']['is_field'] === true) this.#tableAfterIn(node['in'], outer)
    const scope = this.#withNames(node['with'], outer)
    this.#relationsOf(node)
    for (const [key, child] of Object.entries(node)) if (key !== 'with') this.visit(child, scope)
  }

  /** Visits the queries of WITH, each seeing those before it and, if recursive, itself; returns the scope of what follows. */
  #withNames(clause: unknown, outer: Scope): Scope {
    if (!isNode(clause)) return outer
    let scope = outer
    for (const entry of (clause['ctes'] ?? []) as Node[]) {
      // ClickHouse writes a value in the reverse order, `WITH 1 AS x`, which hides no table.
      const name = entry['alias_first'] === true ? this.#pathOf(entry['alias'] as Node).parts[0] : undefined
      const after = name === undefined ? scope : new Set([...scope, this.#folded(name)])
      this.visit(entry['this'], clause['recursive'] === true ? after : scope)
      scope = after
    }
    return scope
  }

  #table({ name, schema, catalog }: Node, scope: Scope): void {
    const identifiers = [catalog, schema, name].filter(isNode)
    if (identifiers.at(-1)?.['name'] !== '') this.#found(identifiers, scope)
  }

  /** `x IN t`, where t is a table. */
  #tableAfterIn({ expressions }: Node, scope: Scope): void {
    for (const { column } of (expressions ?? []) as Node[])
      if (isNode(column)) this.#found([column['table'], column['name']].filter(isNode), scope)
  }

  /** `x IN (t)` and `in(x, t)` of ClickHouse, where a list contains only constants and a name is that of a table. */
  #tablesInLists(): void {
    for (const [index, { kind, text, depth }] of this.#words.entries()) {
      if (kind !== 'word' || text !== 'IN' || this.#words[index + 1]?.kind !== 'open') continue
      const end = this.#words.findIndex(
        (token, at) => at > index + 1 && token.kind === 'close' && token.depth === depth,
      )
      const list = this.#words.slice(index + 1, end < 0 ? undefined : end + 1)
      if (queryKeywords.test(list.find((token) => token.kind !== 'open')?.text ?? '')) continue
      for (const at of list.keys()) this.#tableInList(index + 1 + at)
    }
  }

  #tableInList(index: number): void {
    const [before, token] = [this.#words[index - 1], this.#words[index]]
    if (!token || this.#starts.has(token.start) || (before?.kind !== 'open' && before?.text !== ',')) return
    if (token.kind === 'word' && noNames.test(token.text)) return
    const path = readPath(this.#words, index)
    const after = path && this.#words[path.next]
    if (!path || !after || !(/^(close|word|name)$/.test(after.kind) || after.text === ',')) return
    const [name = '', schema = null, catalog = null] = path.parts.toReversed()
    this.#starts.add(token.start)
    this.tables.push({ catalog, schema, name, span: path.span })
  }

  #found(identifiers: Node[], scope: Scope): void {
    const { parts, span } = this.#pathOf(...identifiers)
    if (span) this.#starts.add(span[0])
    const [name, schema = null, catalog = null, ...more] = parts.toReversed()
    if (name === undefined || more.length > 0) this.isReading = false
    else if (this.#dialect === 'sqlite' && sqliteOwn.test(name)) this.tableFunctions.add(name)
    else if (
      schema !== null ||
      (!scope.has(this.#folded(name)) && !(this.#dialect === 'mysql' && /^dual$/i.test(name)))
    )
      this.tables.push({ catalog, schema, name, span })
  }

  /** Returns the name as in the text, or as in the tree if that has no position. */
  #pathOf(...identifiers: Node[]): { parts: string[]; span: [number, number] | null } {
    const point = (identifiers[0]?.['span'] as { start?: number } | undefined)?.start
    const start = point === undefined ? -1 : indexOfCodePoint(this.#plain, point)
    const path = readPath(
      this.#words,
      this.#words.findIndex((token) => token.start === start),
    )
    return path ?? { parts: identifiers.map(({ name }) => String(name)), span: null }
  }

  #relationsOf(node: Node): void {
    const from = isNode(node['from']) ? ((node['from']['expressions'] ?? []) as unknown[]) : []
    const joins = Array.isArray(node['joins']) ? (node['joins'] as Node[]) : []
    const joined = joins.filter(({ kind }) => !/Array/.test(String(kind))).map((join) => join['this'])
    for (const relation of [...from, ...joined]) this.#relation(relation)
  }

  #relation(value: unknown): void {
    const [type, node] = Object.entries(isNode(value) ? value : {})[0] ?? []
    if (type === undefined || !relations.has(type) || !isNode(node)) this.isReading = false
    else if (type === 'function') this.tableFunctions.add(String(node['name']).split('.').at(-1) as string)
    else if (type === 'alias' || type === 'paren' || type === 'annotated') this.#relation(node['this'])
    else if (type === 'joined_table') this.#relation(node['left'])
  }

  #folded(name: string): string {
    return this.#dialect === 'sqlite' || this.#dialect === 'trino' ? name.toLowerCase() : name
  }

  #namesTable({ kind, text }: SqlToken, index: number): boolean {
    if (kind !== 'word') return false
    const before = this.#words[index - 1]
    if (text === 'FROM') return before?.text !== 'DISTINCT' && !this.#isInArguments(index)
    if (text === 'STRAIGHT_JOIN') return before?.text !== 'SELECT'
    if (text === 'TABLE') return this.#dialect === 'mysql' || this.#dialect === 'trino'
    return text === 'JOIN' && before?.text !== 'ARRAY' && this.#words[index + 1]?.text !== ')'
  }

  #isInArguments(index: number): boolean {
    const depth = this.#words[index]?.depth ?? 0
    const opener = this.#words.findLastIndex(
      (token, at) => at < index && token.kind === 'open' && token.depth === depth - 1,
    )
    if (opener < 0 || !fromInside.has(this.#words[opener - 1]?.text ?? '')) return false
    return !this.#words.slice(opener, index).some((token) => token.text === 'SELECT' && token.depth === depth)
  }

  #isFound(index: number): boolean {
    const token = this.#words[index]
    if (!token || token.kind === 'open')
      return this.#words[index - 1]?.text !== 'TABLE' || this.#tableArgument(index + 1)
    const path = readPath(this.#words, index)
    if (path && this.#words[path.next]?.kind === 'open' && !this.#starts.has(token.start))
      return (
        /^(LATERAL|UNNEST|VALUES|TABLE|JSON_TABLE)$/.test(token.text) ||
        this.tableFunctions.has(path.parts.at(-1) ?? '')
      )
    return this.#starts.has(token.start)
  }

  /** `TABLE(f(...))` and `TABLE(t)`, which are functions and columns in the tree. */
  #tableArgument(index: number): boolean {
    const path = readPath(this.#words, index)
    if (!path) return false
    if (this.#words[path.next]?.kind === 'open') this.tableFunctions.add(path.parts.at(-1) as string)
    else {
      const [name = '', schema = null, catalog = null] = path.parts.toReversed()
      this.tables.push({ catalog, schema, name, span: path.span })
    }
    return path.parts.length <= 3
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
