import { addAtDepth, newPlanNode, type PlanNode } from './plan.ts'

/** Reads an indented plan; the engine shows in its marks. Empty when no step is found. */
export function readTextPlan(text: string): PlanNode[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.some((line) => /^\s*->/.test(line))) return readArrows(lines)
  if (lines.some((line) => /^Fragment \d|^[\s│]*[└├]─/.test(line))) return readBranches(lines)
  // PostgreSQL's plan of one step.
  if (/\(cost=|\(actual /.test(lines[0] ?? '')) return readArrows(lines)
  return readIndented(lines)
}

/** PostgreSQL, MySQL: steps begin with an arrow, the first one of PostgreSQL does not; other lines belong to the step above. */
function readArrows(lines: readonly string[]): PlanNode[] {
  const roots: PlanNode[] = []
  const path: { depth: number; node: PlanNode }[] = []
  let last: PlanNode | undefined
  for (const line of lines) {
    const depth = line.search(/->/)
    const isStep = /^\s*->/.test(line)
    if (isStep || !last) {
      last = readStep(line.replace(/^\s*(->)?\s*/, ''))
      addAtDepth(roots, path, isStep ? depth : 0, last)
    } else if (/^\S/.test(line)) roots[0]?.details.push(line)
    else last.details.push(line.trim())
  }
  return roots
}

/** Trino: branches are drawn, and the first step of a fragment is indented by four. */
function readBranches(lines: readonly string[]): PlanNode[] {
  const roots: PlanNode[] = []
  const path: { depth: number; node: PlanNode }[] = []
  for (const line of lines) {
    const branch = /^[\s│]*[└├]─ /.exec(line)
    const depth = branch ? branch[0].length : line.search(/\S/)
    const isStep = branch !== null || /^Fragment \d|^( {4})?[A-Z]\w*(\[|$)/.test(line)
    if (isStep) addAtDepth(roots, path, depth, newPlanNode(line.slice(depth).trim()))
    else if (path.length > 0) {
      const { node } = path.at(-1)!
      const detail = line.replace(/^[\s│]+/, '')
      const estimates = /^Estimates: \{rows: ([^ ,(}]+)/.exec(detail)
      if (estimates && node.estimatedRows === null && estimates[1] !== '?') node.estimatedRows = estimates[1] ?? null
      node.details.push(detail)
    }
  }
  return roots
}

/** ClickHouse: each line is a step. */
function readIndented(lines: readonly string[]): PlanNode[] {
  const roots: PlanNode[] = []
  const path: { depth: number; node: PlanNode }[] = []
  for (const line of lines) addAtDepth(roots, path, line.search(/\S/), readStep(line.trim()))
  return roots
}

const number = String.raw`[\d.]+(?:e[+-]?\d+)?`
const estimate = new RegExp(String.raw`\s*\(cost=(?:${number}\.\.)?(${number})(?: rows=(${number}))?[^)]*\)`)
const actual = new RegExp(String.raw`\s*\(actual (?:time=${number}\.\.(${number}) )?rows=(${number})[^)]*\)`)

function readStep(line: string): PlanNode {
  const [, cost = null, estimatedRows = null] = estimate.exec(line) ?? []
  const [, time, actualRows = null] = actual.exec(line) ?? []
  return newPlanNode(line.replace(estimate, '').replace(actual, '').trim(), {
    cost,
    estimatedRows,
    actualRows,
    time: time === undefined ? null : `${time} ms`,
  })
}
