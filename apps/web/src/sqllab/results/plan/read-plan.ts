import { textAt, type Column, type Frame } from '@parquetry/frame'
import { newPlanNode, type PlanNode } from './plan.ts'
import { readBoxPlan } from './read-box-plan.ts'
import { readJsonPlan } from './read-json-plan.ts'
import { readTextPlan } from './read-text-plan.ts'

export interface Plan {
  /** Empty when the text is not understood. */
  roots: PlanNode[]
  /** As the engine wrote it. */
  text: string
}

/** Reads the plan in the result of EXPLAIN: JSON, drawn boxes, indented lines, or SQLite's rows with parents. */
export function readPlan({ rows, columns }: Frame): Plan {
  const [id, parent, detail] = ['id', 'parent', 'detail'].map((name) => columns.find((column) => column.name === name))
  if (id && parent && detail) return readParents(rows, id, parent, detail)
  const column = columns.at(-1)
  const texts = column ? Array.from({ length: rows }, (_, row) => textAt(column, row) ?? '') : []
  const text = texts.join('\n')
  // DuckDB returns several plans as rows; other engines return a row for each line.
  const plans = texts.some((each) => each.trim().includes('\n')) ? texts : [text]
  const roots = plans.flatMap(
    (each) => readJsonPlan(each) ?? (each.includes('┌') ? readBoxPlan(each) : readTextPlan(each)),
  )
  return { text, roots: roots.map(withTableNames) }
}

/** How DuckDB names the table of a file: by the file, with a version. */
const tableOfFile = /(?:"_([^"]+)_\d+"|\b_(\w+)_\d+)\.main\."?data\b"?/g

/** Names tables as users know them. The text of the plan stays as the engine wrote it. */
const withTableNames = (node: PlanNode): PlanNode => ({
  ...node,
  details: node.details.map((detail) =>
    detail.replace(tableOfFile, (_, quoted: string | undefined, plain: string | undefined) => quoted ?? plain ?? ''),
  ),
  children: node.children.map(withTableNames),
})

function readParents(rows: number, id: Column, parent: Column, detail: Column): Plan {
  const roots: PlanNode[] = []
  const nodes = new Map<string, { node: PlanNode; depth: number }>()
  const lines: string[] = []
  for (let row = 0; row < rows; row += 1) {
    const above = nodes.get(textAt(parent, row) ?? '')
    const depth = above ? above.depth + 1 : 0
    const node = newPlanNode(textAt(detail, row) ?? '')
    ;(above?.node.children ?? roots).push(node)
    nodes.set(textAt(id, row) ?? '', { node, depth })
    lines.push(`${'  '.repeat(depth)}${node.name}`)
  }
  return { roots, text: lines.join('\n') }
}
