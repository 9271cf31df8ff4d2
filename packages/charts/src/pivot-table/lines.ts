import type { Cell } from '@parquetry/frame'
import { codeAt, rootGroup, findOuterGroup, type PivotGroup, type PivotAxisData } from './pivot.ts'
import type { PivotAxis } from './spec.ts'

/** A row or column as shown. */
export interface PivotLine extends PivotGroup {
  kind: 'leaf' | 'subtotal' | 'total'
  /** A collapsed group, represented by its subtotal. */
  isClosed: boolean
}

/**
 * Returns the visible rows or columns, in order.
 * @param closed  names of collapsed groups (`groupKey`)
 */
export function buildPivotLines(
  lines: PivotAxisData,
  { subtotals, hasTotal }: Pick<PivotAxis, 'subtotals' | 'hasTotal'>,
  closed: ReadonlySet<string> = new Set(),
): PivotLine[] {
  const { axis, order } = lines
  const depth = axis.levels.length
  const total: PivotLine = { ...rootGroup, kind: 'total', isClosed: false }
  if (depth === 0) return axis.leafOf.length > 0 ? [total] : []
  const shown: PivotLine[] = []
  const add = (level: number, from: number, end: number): void => {
    for (let place = from; place < end; place++) {
      const at = order[level]![place]!
      if (level === depth - 1) {
        shown.push({ level, at, kind: 'leaf', isClosed: false })
        continue
      }
      const isClosed = closed.size > 0 && closed.has(groupKey(lines, { level, at }))
      const subtotal: PivotLine = { level, at, kind: 'subtotal', isClosed }
      const { children } = axis.levels[level]!
      // With a single group, its subtotal equals the total.
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

/** Returns the values of a group's levels; metrics are represented by their indexes. */
export const groupValues = ({ axis }: PivotAxisData, group: PivotGroup): Cell[] =>
  Array.from({ length: group.level + 1 }, (_, level) => axis.keys[level]!.values[codeAt(axis, group, level)!]!)

/** Identifies a group by its values, so that the name is stable across responses. */
export const groupKey = (lines: PivotAxisData, group: PivotGroup): string =>
  JSON.stringify(groupValues(lines, group).map((value) => (typeof value === 'bigint' ? `${value}n` : value)))

/** A heading over one or more lines; ends are exclusive. */
export interface HeadingSpan {
  from: number
  end: number
  /** The named group; for a subtotal label, the group that is totaled. */
  group: PivotGroup
  /** `word` is the label of a total or subtotal, over all remaining levels. */
  kind: 'group' | 'word' | 'rest'
}

/** Returns the headings of a level above or beside the lines, in order. */
export function buildSpans({ axis }: PivotAxisData, lines: readonly PivotLine[], level: number): HeadingSpan[] {
  const spans: HeadingSpan[] = []
  for (const [place, line] of lines.entries()) {
    const kind = level <= line.level ? 'group' : level === line.level + 1 ? 'word' : 'rest'
    const at = kind === 'group' ? findOuterGroup(axis, line, level) : line.at
    const last = spans.at(-1)
    if (kind === 'group' && last?.kind === 'group' && last.group.at === at) last.end = place + 1
    else spans.push({ from: place, end: place + 1, group: { level: kind === 'group' ? level : line.level, at }, kind })
  }
  return spans
}

/** Returns the span over a line. */
export function findSpan(spans: readonly HeadingSpan[], line: number): HeadingSpan | undefined {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.end <= line) low = middle + 1
    else high = middle
  }
  return spans[low]
}
