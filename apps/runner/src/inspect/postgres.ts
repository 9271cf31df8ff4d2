import { indexOfByte, indexOfCodePoint } from '@parquetry/model/position'
import { loadModule, parseSync, type SqlError } from 'libpg-query'
import { findNameSpan, findNumberSpan, type ParsedStatement, ParseError, unknownStatement } from './inspect.ts'

/** A node of PostgreSQL's own tree: `{ SelectStmt: { ... } }`, or only the fields if the field defines the type. */
interface Node {
  [key: string]: unknown
}
type Scope = ReadonlySet<string>

/** Statements that only read, unless something inside them writes. */
const readingTypes: Record<string, string> = { SelectStmt: 'select', ExplainStmt: 'explain', VariableShowStmt: 'show' }

/** A node of this kind inside a statement makes it one that writes or locks. */
const writingTypes =
  /^(Insert|Update|Delete|Merge|Create|Alter|Drop|Copy|Call|Do|Into|Locking|Execute|Prepare|Refresh|Truncate)/

/** Parses one statement with PostgreSQL's own parser. */
export async function parsePostgres(statement: string): Promise<ParsedStatement> {
  await loadModule()
  const tree = parse(statement)
  const [first, second] = tree.stmts ?? []
  const [entry] = Object.entries((first?.stmt ?? {}) as Node)
  if (!entry || second) return unknownStatement('unknown')
  const [type, node] = entry as [string, Node]
  const walker = new Walker(statement)
  walker.visit(type, node, new Set())
  const select = type === 'SelectStmt' ? node : null
  const limit = select ? readLimit(statement, select) : null
  return {
    kind: readingTypes[type] ?? toStatementKind(type, node),
    readOnly: type in readingTypes && walker.isReading,
    tables: walker.tables,
    functions: [...walker.functions],
    types: [...walker.types],
    tableFunctions: [...walker.tableFunctions],
    ownLimit: limit?.rows ?? null,
    limitSpan: limit?.span ?? null,
    hasOrder: Array.isArray(select?.['sortClause']),
    takesLimit: select !== null && walker.isReading && select['limitCount'] === undefined,
  }
}

function parse(statement: string): { stmts?: { stmt?: unknown }[] } {
  try {
    return parseSync(statement) as { stmts?: { stmt?: unknown }[] }
  } catch (error) {
    const { message, sqlDetails } = error as SqlError
    throw new ParseError(message, indexOfCodePoint(statement, sqlDetails?.cursorPosition ?? 0))
  }
}

/** `CreateTableAsStmt` is `create`; transactions are named by their action. */
function toStatementKind(type: string, node: Node): string {
  if (type === 'TransactionStmt') return String(node['kind']).replace('TRANS_STMT_', '').toLowerCase()
  if (type === 'VariableSetStmt') return 'set'
  return /^[A-Z][a-z]+/.exec(type)?.[0].toLowerCase() ?? 'unknown'
}

function readLimit(
  statement: string,
  { limitCount, limitOption }: Node,
): { rows: number; span: [number, number] } | null {
  const constant = (limitCount as Node | undefined)?.['A_Const'] as Node | undefined
  const integer = constant?.['ival'] as Node | undefined
  if (!integer || limitOption !== 'LIMIT_OPTION_COUNT') return null
  const rows = typeof integer['ival'] === 'number' ? integer['ival'] : 0
  const span = findNumberSpan(statement, indexOfByte(statement, Number(constant?.['location'] ?? 0)))
  return span && Number(statement.slice(...span)) === rows ? { rows, span } : null
}

class Walker {
  tables: ParsedStatement['tables'] = []
  functions = new Set<string>()
  types = new Set<string>()
  tableFunctions = new Set<string>()
  isReading = true
  #sql: string

  constructor(sql: string) {
    this.#sql = sql
  }

  /** @param type node type, or name of the field that contains the node */
  visit(type: string, value: unknown, scope: Scope): void {
    if (Array.isArray(value)) {
      for (const item of value) this.visit(type, item, scope)
      return
    }
    if (typeof value !== 'object' || value === null) return
    const node = value as Node
    if (writingTypes.test(type) || type === 'intoClause' || type === 'lockingClause') this.isReading = false
    if (typeof node['relname'] === 'string') this.#table(node, scope)
    if (type === 'FuncCall' || type === 'funccall')
      for (const name of readNames(node['funcname'])) this.functions.add(name)
    if (type === 'TypeName' || type === 'typeName') this.types.add(readNames(node['names']).at(-1) ?? '')
    if (type === 'RangeFunction') this.#inFrom(node)
    const inside = this.#withNames(node['withClause'] as Node | undefined, scope)
    for (const [key, child] of Object.entries(node)) if (key !== 'withClause') this.visit(key, child, inside)
  }

  /** Visits the queries of WITH, each seeing those before it and, if recursive, all; returns the scope of what follows. */
  #withNames(clause: Node | undefined, outer: Scope): Scope {
    const entries = ((clause?.['ctes'] ?? []) as Node[]).map((entry) => entry['CommonTableExpr'] as Node)
    let scope =
      clause?.['recursive'] === true ? new Set([...outer, ...entries.map((entry) => String(entry['ctename']))]) : outer
    for (const entry of entries) {
      this.visit('CommonTableExpr', entry, scope)
      scope = new Set([...scope, String(entry['ctename'])])
    }
    return scope
  }

  #table({ catalogname, schemaname, relname, location }: Node, scope: Scope): void {
    const catalog = typeof catalogname === 'string' ? catalogname : null
    const schema = typeof schemaname === 'string' ? schemaname : null
    const name = String(relname)
    if (schema === null && scope.has(name)) return
    const span = findNameSpan(this.#sql, indexOfByte(this.#sql, Number(location ?? 0)), 'postgresql')
    this.tables.push({ catalog, schema, name, span })
  }

  #inFrom(node: Node): void {
    for (const { List } of (node['functions'] ?? []) as { List?: { items?: Node[] } }[]) {
      const call = List?.items?.[0]?.['FuncCall'] as Node | undefined
      if (call) for (const name of readNames(call['funcname'])) this.tableFunctions.add(name)
    }
  }
}

/**
 * Returns the last part of a function's or type's name, and the full name as well if its schema is not the engine's own: a
 * rejected name is rejected in every schema, a known name is known only in the engine's own.
 */
function readNames(parts: unknown): string[] {
  const names = ((parts ?? []) as { String?: { sval?: string } }[]).map(({ String: part }) => part?.sval ?? '')
  const last = names.at(-1) ?? ''
  return names.length < 2 || names[0] === 'pg_catalog' ? [last] : [last, names.join('.')]
}
