import { newPlanNode, type PlanNode } from './plan.ts'

/**
 * Reads the boxes that DuckDB draws: each level of the tree is a row of boxes of one width, and the first input of a step is below
 * it, further ones to the right.
 */
export function readBoxPlan(text: string): PlanNode[] {
  const lines = text.split('\n')
  const roots: PlanNode[] = []
  let above: { place: number; node: PlanNode }[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const top = lines[at] ?? ''
    // Frames within frames are titles.
    if (!/^ *┌/.test(top) || /^ *│┌/.test(lines[at + 1] ?? '')) continue
    const width = top.indexOf('┐') - top.indexOf('┌') + 1
    const end = lines.findIndex((line, index) => index > at && /^ *└/.test(line))
    if (width < 3 || end < 0) continue
    const level = boxPlaces(top, width).map((place) => {
      const from = place * width + 1
      const content = lines.slice(at + 1, end).map((line) => line.slice(from, from + width - 2))
      return { place, node: readBox(content) }
    })
    for (const { place, node } of level) {
      const parent = above.findLast((each) => each.place <= place)
      ;(parent?.node.children ?? roots).push(node)
    }
    above = level
    at = end
  }
  return roots
}

const boxPlaces = (top: string, width: number): number[] =>
  Array.from({ length: Math.ceil(top.length / width) }, (_, place) => place).filter(
    (place) => top[place * width] === '┌',
  )

function readBox(content: readonly string[]): PlanNode {
  const [name = '', ...rest] = joinWrapped(content.filter((line) => !/^ *─+ *$/.test(line)))
  const node = newPlanNode(name)
  for (const line of rest) {
    const rows = /^(~?)([\d,]+) rows?$/.exec(line)
    if (rows?.[1]) node.estimatedRows = rows[2] ?? null
    else if (rows) node.actualRows = rows[2] ?? null
    else if (/^\d+\.\d+s$/.test(line)) node.time = line.replace('s', ' s')
    else if (!/^\(\d+\.\d+s\)$/.test(line)) node.details.push(line)
  }
  return node
}

/** Joins the pieces of a line that fill the box: the box wraps its text. A line after a colon belongs to it as well. */
function joinWrapped(content: readonly string[]): string[] {
  const lines: string[] = []
  let isFull = false
  for (const line of content) {
    const text = line.trim()
    const last = lines.at(-1)
    if (text !== '' && last !== undefined && isFull) lines[lines.length - 1] = last + text
    else if (text !== '' && last?.endsWith(':')) lines[lines.length - 1] = `${last} ${text}`
    else if (text !== '') lines.push(text)
    isFull = text !== '' && text.length === line.length
  }
  return lines
}
