import type { Cell } from '@parquetry/frame'
import { codeAt, rootGroup, findOuterGroup, type PivotGroup, type PivotAxisData } from './pivot.ts'
import type { PivotAxis } from './spec.ts'

/** A row or column as shown. */
export interface PivotLine extends PivotGroup {
  kind: 'leaf' | 'subtotal' | 'total'
  /** A collapsed group, represented by its subtotal. */
  isClosed: boolean
}

/** Returns the level of the metrics if there are several, otherwise −1. */
const findMetricLevel = ({ axis, columns }: PivotAxisData): number => {
  const level = columns.indexOf(null)
  return level >= 0 && axis.keys[level]!.values.length > 1 ? level : -1
}

/**
 * Returns true when the groups of a level can be collapsed into their subtotals. Several metrics have no subtotal, so a group that
 * only consists of them cannot.
 */
export function canCloseGroups(lines: PivotAxisData, level: number): boolean {
  const depth = lines.axis.levels.length
  const innermost = findMetricLevel(lines) === depth - 1 ? depth - 2 : depth - 1
  return level >= 0 && level < innermost && lines.order[level]!.length > 1
}

/**
 * Returns the visible rows or columns, in order. A total or subtotal over several metrics has one line per metric, and none where it
 * would repeat other lines.
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
  const metricLevel = findMetricLevel(lines)
  const metrics = metricLevel < 0 ? [] : axis.keys[metricLevel]!.values.map((_, metric) => metric)
  const addTotal = (line: PivotLine): void => {
    if (metricLevel <= line.level) shown.push(line)
    else if (depth - line.level > 2) shown.push(...metrics.map((metric) => ({ ...line, metric })))
  }
  const add = (level: number, from: number, end: number): void => {
    for (let place = from; place < end; place++) {
      const at = order[level]![place]!
      if (level === depth - 1) {
        shown.push({ level, at, kind: 'leaf', isClosed: false })
        continue
      }
      const isClosed = closed.size > 0 && canCloseGroups(lines, level) && closed.has(groupKey(lines, { level, at }))
      const subtotal: PivotLine = { level, at, kind: 'subtotal', isClosed }
      const { children } = axis.levels[level]!
      // With a single group, its subtotal equals the total, and so does that of a metric with all groups inside.
      const isRepeated = hasTotal && level === 0 && (order[0]!.length === 1 || metricLevel === 0)
      const isShown = !isClosed && subtotals !== 'none' && !isRepeated
      if (isClosed || (isShown && subtotals === 'first')) addTotal(subtotal)
      if (!isClosed) add(level + 1, children.from[at]!, children.end[at]!)
      if (isShown && subtotals === 'last') addTotal(subtotal)
    }
  }
  add(0, 0, order[0]!.length)
  if (hasTotal && shown.length > 0) addTotal(total)
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
  /**
   * `word` is the label of a total or subtotal, over all remaining levels; where there is one per metric, it is over several lines,
   * and the last level has a `metric` for each.
   */
  kind: 'group' | 'word' | 'metric' | 'rest'
}

/** Returns the headings of a level above or beside the lines, in order. */
export function buildSpans({ axis }: PivotAxisData, lines: readonly PivotLine[], level: number): HeadingSpan[] {
  const spans: HeadingSpan[] = []
  for (const [place, line] of lines.entries()) {
    const kind = findSpanKind(line, level, axis.levels.length)
    const group: PivotGroup = {
      level: kind === 'group' ? level : line.level,
      at: kind === 'group' ? findOuterGroup(axis, line, level) : line.at,
      ...(kind === 'metric' && { metric: line.metric }),
    }
    const last = spans.at(-1)
    const goesOn = (kind === 'group' || kind === 'word') && last?.kind === kind
    if (goesOn && last.group.level === group.level && last.group.at === group.at) last.end = place + 1
    else spans.push({ from: place, end: place + 1, group, kind })
  }
  return spans
}

function findSpanKind(line: PivotLine, level: number, depth: number): HeadingSpan['kind'] {
  if (level <= line.level) return 'group'
  if (level === line.level + 1) return 'word'
  return line.metric !== undefined && level === depth - 1 ? 'metric' : 'rest'
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
