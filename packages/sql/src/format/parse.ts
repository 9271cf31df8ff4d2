import type { Piece } from './pieces.ts'

/** A token, or the content of parentheses. */
export type Node = Piece | Group

export interface Group {
  kind: 'group'
  open: Piece
  close: Piece | null
  /** Clauses of a sub-query; null for other content. */
  clauses: Clause[] | null
  nodes: Node[]
}

/** Part of a clause, with the comma that ends it or the word that begins it. */
export interface Item {
  nodes: Node[]
  comma: Piece | null
  /** Comments after the comma, on its line. */
  trail: Piece[]
}

export interface Clause {
  /** Comments before it, on their own lines. */
  lead: Piece[]
  head: Piece[]
  items: Item[]
}

export const isGroup = (node: Node): node is Group => node.kind === 'group'

/** Words that begin a clause, each with the words that may follow as part of its head. */
const heads: Record<string, readonly string[]> = {
  SELECT: ['DISTINCT', 'ALL'],
  FROM: [],
  WHERE: [],
  GROUP: ['BY'],
  HAVING: [],
  QUALIFY: [],
  ORDER: ['BY'],
  LIMIT: [],
  UNION: ['ALL', 'DISTINCT', 'BY', 'NAME'],
  INTERSECT: ['ALL', 'DISTINCT'],
  EXCEPT: ['ALL', 'DISTINCT'],
  WITH: ['RECURSIVE'],
  INSERT: ['INTO'],
  VALUES: [],
  UPDATE: [],
  SET: [],
  DELETE: ['FROM'],
  RETURNING: [],
}
const mustFollow: Record<string, string> = { GROUP: 'BY', ORDER: 'BY' }
/** Only at the start of a statement or query, because they may be names elsewhere. */
const first = new Set(['WITH', 'INSERT', 'UPDATE', 'DELETE'])
const joining = new Set(
  'NATURAL INNER LEFT RIGHT FULL OUTER CROSS SEMI ANTI ASOF ANY ALL POSITIONAL GLOBAL LATERAL'.split(' '),
)
const startsQuery = new Set(['SELECT', 'WITH', 'VALUES', 'FROM'])
const conditions = new Set(['WHERE', 'HAVING', 'QUALIFY', 'JOIN'])

const keywordOf = (node: Node | undefined): string => (node && !isGroup(node) && node.kind === 'word' ? node.word : '')
const isComment = (node: Node | undefined): node is Piece =>
  node !== undefined && !isGroup(node) && node.kind === 'comment'

/** Marks the ELSE and END of each CASE as keywords. */
function markCases(nodes: readonly Node[]): void {
  let open = 0
  for (const [at, node] of nodes.entries()) {
    const keyword = keywordOf(node)
    if (keyword === 'CASE' && !isPartOfName(nodes, at)) open++
    if (open > 0 && (keyword === 'ELSE' || keyword === 'END') && !isPartOfName(nodes, at))
      (node as Piece).isKeyword = true
    if (open > 0 && keyword === 'END') open--
  }
}

/** Marks ASC or DESC at the end of a sort key as a keyword; on its own it would be a name. */
function markDirections(items: readonly Item[]): void {
  for (const { nodes } of items) {
    const last = nodes.at(-1)
    if (nodes.length > 1 && ['ASC', 'DESC'].includes(keywordOf(last)) && !isPartOfName(nodes, nodes.length - 1))
      (last as Piece).isKeyword = true
  }
}

export const isPartOfName = (nodes: readonly Node[], at: number): boolean =>
  [nodes[at - 1], nodes[at + 1]].some((node) => node && !isGroup(node) && node.text === '.') ||
  keywordOf(nodes[at - 1]) === 'AS'

/** Groups the content of parentheses. An unmatched closing parenthesis stays a token. */
export function groupBrackets(pieces: readonly Piece[]): Node[] {
  const open: Group[] = []
  const root: Node[] = []
  for (const piece of pieces) {
    const into = open.at(-1)?.nodes ?? root
    if (piece.kind === 'open') {
      const group: Group = { kind: 'group', open: piece, close: null, clauses: null, nodes: [] }
      into.push(group)
      open.push(group)
    } else if (piece.kind === 'close' && open.length > 0) {
      const group = open.pop()!
      group.close = piece
      markCases(group.nodes)
      if (startsQuery.has(keywordOf(group.nodes.find((node) => !isComment(node)))))
        group.clauses = parseClauses(group.nodes)
    } else into.push(piece)
  }
  markCases(root)
  return root
}

/** Number of nodes at this position that form the head of a clause; 0 if none begins here. */
function headLength(nodes: readonly Node[], at: number, isFirst: boolean): number {
  const keyword = keywordOf(nodes[at])
  const before = nodes[at - 1]
  const after = nodes[at + 1]
  if (keyword === '' || isPartOfName(nodes, at)) return 0
  let end = at
  while (joining.has(keywordOf(nodes[end]))) end++
  if (keywordOf(nodes[end]) === 'JOIN') return end + 1 - at
  const more = Object.hasOwn(heads, keyword) ? heads[keyword] : undefined
  if (!more || after === undefined) return 0
  if (first.has(keyword) && !isFirst) return 0
  if (mustFollow[keyword] !== undefined && keywordOf(after) !== mustFollow[keyword]) return 0
  if (keyword === 'FROM' && ['DISTINCT', 'DELETE'].includes(keywordOf(before))) return 0
  end = at + 1
  while (more.includes(keywordOf(nodes[end]))) end++
  return end - at
}

/** Splits the nodes of one query or statement into its clauses. */
export function parseClauses(nodes: readonly Node[]): Clause[] {
  const clauses: Clause[] = []
  let current: { clause: Clause; body: Node[] } = { clause: { lead: [], head: [], items: [] }, body: [] }
  let isFirst = true
  const end = () => {
    const { clause, body } = current
    clause.items = splitItems(body, clause.head.at(-1)?.word ?? '')
    if (clause.head[0]?.word === 'ORDER') markDirections(clause.items)
    if (clause.head.length > 0 || body.length > 0 || clause.lead.length > 0) clauses.push(clause)
  }
  for (let index = 0; index < nodes.length;) {
    const length = headLength(nodes, index, isFirst)
    if (!isComment(nodes[index])) isFirst = false
    if (length === 0) {
      current.body.push(nodes[index++]!)
      continue
    }
    const lead = takeLeadingComments(current.body, current.clause.head.length === 0)
    end()
    const head = nodes.slice(index, index + length) as Piece[]
    current = { clause: { lead, head, items: [] }, body: [] }
    index += length
    isFirst = ['UNION', 'INTERSECT', 'EXCEPT'].includes(head[0]!.word)
  }
  end()
  return clauses
}

/** Removes the comments on their own lines from the end of the body and returns them. */
function takeLeadingComments(body: Node[], isFirstClause: boolean): Piece[] {
  let from = body.length
  while (isComment(body[from - 1]) && ((body[from - 1] as Piece).line || (isFirstClause && from === 1))) from--
  return body.splice(from) as Piece[]
}

/** Splits the body of a clause at its commas, or its conditions at AND, OR and ON. */
function splitItems(body: readonly Node[], head: string): Item[] {
  const isCondition = conditions.has(head)
  const items: Item[] = []
  let item: Item = { nodes: [], comma: null, trail: [] }
  let between = 0
  for (const node of body) {
    if (items.length > 0 && item.nodes.length === 0 && isComment(node) && !node.line && items.at(-1)!.comma) {
      items.at(-1)!.trail.push(node)
      continue
    }
    const keyword = keywordOf(node)
    if (keyword === 'BETWEEN') between++
    const isBetween = keyword === 'AND' && between > 0
    if (isBetween) between--
    if (
      isCondition &&
      !isBetween &&
      (keyword === 'AND' || keyword === 'OR' || (head === 'JOIN' && keyword === 'ON')) &&
      item.nodes.length > 0
    ) {
      items.push(item)
      item = { nodes: [node], comma: null, trail: [] }
    } else if (!isCondition && !isGroup(node) && node.text === ',') {
      items.push({ ...item, comma: node })
      item = { nodes: [], comma: null, trail: [] }
    } else item.nodes.push(node)
  }
  return item.nodes.length > 0 ? [...items, item] : items
}
