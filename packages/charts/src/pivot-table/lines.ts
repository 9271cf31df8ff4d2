import type { Cell } from '@parquetry/frame'
import { codeAt, everything, outerGroup, type Group, type PivotLines } from './pivot.ts'
import type { PivotAxis } from './spec.ts'

/** A row or column as shown. */
export interface Line extends Group {
  kind: 'leaf' | 'subtotal' | 'total'
  /** A group that is closed: its subtotal stands for all of it. */
  isClosed: boolean
}

/**
 * The rows or columns that are shown, in order.
 * @param closed  names of closed groups (`nameOf`)
 */
export function linesOf(
  lines: PivotLines,
  { subtotals, hasTotal }: Pick<PivotAxis, 'subtotals' | 'hasTotal'>,
  closed: ReadonlySet<string> = new Set(),
): Line[] {
  const { axis, order } = lines
  const depth = axis.levels.length
  const total: Line = { ...everything, kind: 'total', isClosed: false }
  if (depth === 0) return axis.leafOf.length > 0 ? [total] : []
  const shown: Line[] = []
  const add = (level: number, from: number, end: number): void => {
    for (let place = from; place < end; place++) {
      const at = order[level]![place]!
      if (level === depth - 1) {
        shown.push({ level, at, kind: 'leaf', isClosed: false })
        continue
      }
      const isClosed = closed.size > 0 && closed.has(nameOf(lines, { level, at }))
      const subtotal: Line = { level, at, kind: 'subtotal', isClosed }
      const { children } = axis.levels[level]!
      // The only group of all is the same as the total behind it.
      const isRepeated = hasTotal && level === 0 && order[0]!.length === 1
      const isShown = !isClosed && subtotals !== 'none' && !isRepeated
      if (isClosed || (isShown && subtotals === 'first')) shown.push(subtotal)
      if (!isClosed) add(level + 1, children.from[at]!, children.end[at]!)
      if (isShown && subtotals === 'last') shown.push(subtotal)
    }
  }
  add(0, 0, order[0]!.length)
  if (hasTotal && shown.length > 0) shown.push(total)
  return shown
}

/** The values of a group's levels; those of metrics are their places. */
export const valuesOf = ({ axis }: PivotLines, group: Group): Cell[] =>
  Array.from({ length: group.level + 1 }, (_, level) => axis.keys[level]!.values[codeAt(axis, group, level)!]!)

/** A group by its values: the same in every answer. */
export const nameOf = (lines: PivotLines, group: Group): string =>
  JSON.stringify(valuesOf(lines, group).map((value) => (typeof value === 'bigint' ? `${value}n` : value)))

/** A heading over one or more lines; ends are not included. */
export interface Span {
  from: number
  end: number
  /** The group that it names; for the word of a subtotal the one that is totalled. */
  group: Group
  /** `word`: of a total or subtotal, over all levels that are left. */
  kind: 'group' | 'word' | 'rest'
}

/** The headings of a level above or beside the lines, in order. */
export function spansOf({ axis }: PivotLines, lines: readonly Line[], level: number): Span[] {
  const spans: Span[] = []
  for (const [place, line] of lines.entries()) {
    const kind = level <= line.level ? 'group' : level === line.level + 1 ? 'word' : 'rest'
    const at = kind === 'group' ? outerGroup(axis, line, level) : line.at
    const last = spans.at(-1)
    if (kind === 'group' && last?.kind === 'group' && last.group.at === at) last.end = place + 1
    else spans.push({ from: place, end: place + 1, group: { level: kind === 'group' ? level : line.level, at }, kind })
  }
  return spans
}

/** The span over a line. */
export function spanAt(spans: readonly Span[], line: number): Span | undefined {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.end <= line) low = middle + 1
    else high = middle
  }
  return spans[low]
}
