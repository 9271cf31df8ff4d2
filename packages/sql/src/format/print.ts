import { type Clause, type Group, isGroup, isPartOfName, type Item, type Node } from './parse.ts'
import type { Piece } from './pieces.ts'

const width = 88
const step = 2

/** Keywords that are capitalized in the head of a clause. */
const capital = new Set(
  `SELECT FROM WHERE GROUP ORDER BY HAVING QUALIFY LIMIT UNION INTERSECT EXCEPT ALL DISTINCT WITH RECURSIVE INSERT INTO VALUES
  UPDATE SET DELETE RETURNING NATURAL INNER LEFT RIGHT FULL OUTER CROSS JOIN`.split(/\s+/),
)
/** Reserved in every engine with case-insensitive names. */
const reserved = new Set('AND OR NOT IN IS NULL AS ON CASE WHEN THEN BETWEEN EXISTS'.split(' '))

export interface Style {
  /** Keywords may be capitalized, because names are case-insensitive. */
  capitals: boolean
}

const blanks = (indent: number): string => ' '.repeat(indent)
const firstPieceOf = (node: Node): Piece => (isGroup(node) ? node.open : node)
const lastPieceOf = (node: Node): Piece => (isGroup(node) ? (node.close ?? node.open) : node)

/** Prints clauses as lines. Breaks lines that are too wide or contain comments and templates that need their own line. */
export class Printer {
  #style: Style
  constructor(style: Style) {
    this.#style = style
  }

  clauses(clauses: readonly Clause[], indent: number): string {
    return clauses.map((clause) => this.#clause(clause, indent)).join(`\n${blanks(indent)}`)
  }

  #clause({ lead, head, items }: Clause, indent: number): string {
    const comments = lead.map(({ text }) => `${text}\n${blanks(indent)}`).join('')
    if (head.length === 0) return comments + this.#items(items, indent)
    const start = head.map((piece) => this.#capital(piece)).join(' ')
    if (items.length === 0) return comments + start
    const flat = this.#flatItems(items)
    const space = firstGap(items) ? ' ' : ''
    if (flat !== null && indent + start.length + 1 + flat.length <= width) return `${comments}${start}${space}${flat}`
    const firstPiece = firstPieceOf(items[0]!.nodes[0] ?? items[0]!.comma!)
    const isLine = firstPiece.kind === 'comment' && firstPiece.line
    if (head.at(-1)?.word === 'JOIN' || (items.length === 1 && !isLine))
      return `${comments}${start}${space}${this.#items(items, indent + step)}`
    return `${comments}${start}\n${blanks(indent + step)}${this.#items(items, indent + step)}`
  }

  /** Prints each item on its own line. */
  #items(items: readonly Item[], indent: number): string {
    return items
      .map(({ nodes, comma, trail }) => {
        const text = this.#nodes(nodes, indent)
        const last = nodes.at(-1)
        const isCut = last && lastPieceOf(last).endsLine
        const end = comma ? `${isCut ? `\n${blanks(indent)}` : ''},` : ''
        return `${text}${end}${trail.map((comment) => ` ${comment.text}`).join('')}`
      })
      .join(`\n${blanks(indent)}`)
  }

  /** Prints items on one line; null when that is impossible. */
  #flatItems(items: readonly Item[]): string | null {
    if (items.some(({ trail }) => trail.length > 0)) return null
    const parts = items.map(({ nodes, comma }) => {
      const flat = this.#flat(nodes)
      return flat === null ? null : flat + (comma ? ',' : '')
    })
    return parts.includes(null) ? null : parts.join(' ')
  }

  #flat(nodes: readonly Node[]): string | null {
    let text = ''
    for (const [at, node] of nodes.entries()) {
      if (at > 0 && isForced(nodes[at - 1]!, node)) return null
      if (at === 0 && isOwnLine(firstPieceOf(node))) return null
      if (at > 0 && isSpaced(nodes[at - 1]!, node)) text += ' '
      const part = this.#flatNode(nodes, at)
      if (part === null) return null
      text += part
    }
    return text
  }

  #flatNode(nodes: readonly Node[], index: number): string | null {
    const node = nodes[index]!
    if (!isGroup(node)) return node.endsLine || node.text.includes('\n') ? null : this.#word(nodes, index)
    const inner = node.clauses ? this.#flatClauses(node.clauses) : this.#flat(node.nodes)
    return inner === null || !node.close ? null : `(${inner})`
  }

  #flatClauses(clauses: readonly Clause[]): string | null {
    const parts: string[] = []
    for (const { lead, head, items } of clauses) {
      const flat = this.#flatItems(items)
      if (lead.length > 0 || flat === null) return null
      const start = head.map((piece) => this.#capital(piece)).join(' ')
      parts.push(start && flat ? `${start}${firstGap(items) ? ' ' : ''}${flat}` : start || flat)
    }
    return parts.join(' ')
  }

  /** Prints nodes on as many lines as needed, continuing the current line. */
  #nodes(nodes: readonly Node[], indent: number): string {
    const flat = this.#flat(nodes)
    const isFit = flat !== null && indent + flat.length <= width
    let text = ''
    let cases = 0
    for (const [at, node] of nodes.entries()) {
      const before = nodes[at - 1]
      const keyword = isGroup(node) ? '' : node.word
      const isEnd = endsCase(node)
      if (isEnd) cases--
      const isBranch = !isFit && (isEnd ? cases === 0 : cases === 1 && (keyword === 'WHEN' || keyword === 'ELSE'))
      if (before) {
        if (isForced(before, node) || isBranch) text += `\n${blanks(isEnd ? indent : indent + step)}`
        else if (isSpaced(before, node)) text += ' '
      }
      if (keyword === 'CASE' && !isPartOfName(nodes, at)) cases++
      text += isGroup(node) ? this.#group(node, indent) : this.#word(nodes, at)
    }
    return text
  }

  #group(group: Group, indent: number): string {
    const flat = this.#flatNode([group], 0)
    if (flat !== null && indent + flat.length <= width) return flat
    const deeper = indent + step
    const inner = group.clauses ? this.clauses(group.clauses, deeper) : this.#items(splitArguments(group.nodes), deeper)
    return `(\n${blanks(deeper)}${inner}${group.close ? `\n${blanks(indent)})` : ''}`
  }

  #capital(piece: Piece): string {
    return this.#style.capitals && capital.has(piece.word) ? piece.word : piece.text
  }

  #word(nodes: readonly Node[], index: number): string {
    const piece = nodes[index] as Piece
    const isWord =
      piece.kind === 'word' && (piece.isKeyword || (reserved.has(piece.word) && !isPartOfName(nodes, index)))
    return this.#style.capitals && isWord ? piece.word : piece.text
  }
}

const firstGap = (items: readonly Item[]): boolean => {
  const node = items[0]?.nodes[0]
  return node ? firstPieceOf(node).gap : true
}

/** Returns whether the node is the END of a CASE. */
const endsCase = (node: Node): boolean => !isGroup(node) && node.word === 'END' && node.isKeyword === true

const isOwnLine = (piece: Piece): boolean => piece.kind === 'comment' && piece.line

/**
 * Returns whether a line break must stay: after line comments, around comments on their own lines and templates, and between
 * adjacent strings.
 */
function isForced(before: Node, node: Node): boolean {
  const [left, right] = [lastPieceOf(before), firstPieceOf(node)]
  if (left.endsLine) return true
  if (!right.line) return false
  if (right.kind === 'comment' || left.template || (right.template && /^\{[%#]/.test(right.text))) return true
  if (left.kind === 'string' && right.kind === 'string') return true
  return left.kind === 'comment' && left.line
}

function isSpaced(before: Node, node: Node): boolean {
  const [left, right] = [lastPieceOf(before), firstPieceOf(node)]
  if (right.text === ',' && !right.template) return false
  if (left.text === ',') return true
  return right.gap
}

/** Splits the content of parentheses at its commas. */
function splitArguments(nodes: readonly Node[]): Item[] {
  const items: Item[] = []
  let item: Item = { nodes: [], comma: null, trail: [] }
  for (const node of nodes) {
    const isPiece = !isGroup(node)
    if (isPiece && node.kind === 'comment' && !node.line && item.nodes.length === 0 && items.length > 0)
      items.at(-1)!.trail.push(node)
    else if (isPiece && node.text === ',') {
      items.push({ ...item, comma: node })
      item = { nodes: [], comma: null, trail: [] }
    } else item.nodes.push(node)
  }
  return item.nodes.length > 0 ? [...items, item] : items
}
