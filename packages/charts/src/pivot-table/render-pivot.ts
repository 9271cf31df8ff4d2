import { genericOf, type Cell, type Column, type Frame } from '@parquetry/frame'
import { findColumn } from '../shared/column.ts'
import { formatter } from '../shared/formats/format.ts'
import { parseNumericText } from '../shared/formats/numeric-text.ts'
import { textWidth } from '../shared/text-width.ts'
import { resolveCellTint } from '../table/cells.ts'
import type { ChartTheme } from '../resolve/theme.ts'
import { buildPivotLines, canCloseGroups, findSpan, buildSpans, type PivotLine, type HeadingSpan } from './lines.ts'
import type { Pivot, PivotCell, PivotAxisData } from './pivot.ts'
import type { PivotAxis, PivotLevel, PivotSpec } from './spec.ts'

export type PivotSide = 'rows' | 'columns'

/** An axis as shown: its lines, and the headings of each level. */
export interface RenderedAxis {
  lines: readonly PivotLine[]
  /** By level; an axis without levels has one, for its total. */
  spans: readonly HeadingSpan[][]
  labelOf(span: HeadingSpan): string
  /** Longer label that includes the aggregate of a subtotal. */
  titleOf(span: HeadingSpan): string
  /** Names of the levels, empty where a level has none. */
  names: readonly string[]
  /** Returns true when the groups of a level can be collapsed. */
  canClose(level: number): boolean
}

export interface RenderedPivot {
  rows: RenderedAxis
  columns: RenderedAxis
  cell(row: PivotLine, column: PivotLine): PivotCell
  textOf(cell: PivotCell): string
  /** Background of a cell by the rules of its metric; totals have none because their magnitude differs. */
  tint(row: PivotLine, column: PivotLine, cell: PivotCell, theme: ChartTheme): string | null
}

export type ClosedGroups = Readonly<Record<PivotSide, ReadonlySet<string>>>

/** Formats a pivot with its collapsed groups; used for the screen, for copies and for SVG. */
export function renderPivot(
  pivot: Pivot,
  frame: Frame,
  spec: PivotSpec,
  locale: string,
  closed?: ClosedGroups,
): RenderedPivot {
  const shown = spec.metrics.map(({ name, format }) => valueFormatter(findColumn(frame, name), format, locale))
  return {
    rows: renderAxis(pivot.rows, spec.rows, { pivot, spec, locale, closed: closed?.rows }),
    columns: renderAxis(pivot.columns, spec.columns, { pivot, spec, locale, closed: closed?.columns }),
    cell: (row, column) => pivot.cell(row, column),
    textOf: ({ value, metric }) => {
      if (value === undefined) return ''
      return shown[pivot.metrics[metric]!]!(value)
    },
    tint: (row, column, { value, metric }, theme) => {
      const of = spec.metrics[pivot.metrics[metric]!]
      if (!of || of.rules.length === 0 || row.kind !== 'leaf' || column.kind !== 'leaf') return null
      return resolveCellTint(
        of,
        typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? value : null,
        theme,
      )
    },
  }
}

/** Formats the values of a metric. Numbers with more digits than a double arrive as text. */
function valueFormatter(column: Column | undefined, format: string, locale: string): (value: Cell) => string {
  const write = formatter(column?.kind === 'time' ? 'smart_date' : format, locale)
  if (!column || genericOf(column) !== 0) return write
  return (value) => write(typeof value === 'string' ? parseNumericText(value) : value)
}

interface AxisContext {
  pivot: Pivot
  spec: PivotSpec
  locale: string
  closed: ReadonlySet<string> | undefined
}

function renderAxis(of: PivotAxisData, shown: PivotAxis, { pivot, spec, locale, closed }: AxisContext): RenderedAxis {
  const lines = buildPivotLines(of, shown, closed)
  const depth = of.axis.levels.length
  const levels = levelsIn(of, shown)
  const writers = levels.map((level, index) => levelFormatter(level, of.columns[index] ?? null, pivot, spec, locale))
  const labelOf = ({ kind, group }: HeadingSpan): string => {
    if (kind === 'rest') return ''
    if (kind === 'word') return group.level < 0 ? spec.words.total : spec.words.subtotal
    if (kind === 'metric') return spec.metrics[pivot.metrics[group.metric!]!]!.label
    const { code } = of.axis.levels[group.level]!
    return writers[group.level]!(of.axis.keys[group.level]!.values[code[group.at]!]!)
  }
  return {
    lines,
    spans: Array.from({ length: Math.max(1, depth) }, (_, level) => buildSpans(of, lines, level)),
    labelOf,
    titleOf: (span) => (span.kind === 'word' && span.group.level >= 0 ? spec.words.subtotalTitle : labelOf(span)),
    names: levels.map((level) => level.label),
    canClose: (level) => canCloseGroups(of, level),
  }
}

/** Returns the levels of the spec that have columns in the response. */
function levelsIn({ columns }: PivotAxisData, { levels }: PivotAxis): PivotLevel[] {
  const names = new Set(columns.map((column) => column?.name))
  return levels.filter((level) => 'metrics' in level || names.has(level.name))
}

function levelFormatter(
  level: PivotLevel,
  column: Column | null,
  pivot: Pivot,
  spec: PivotSpec,
  locale: string,
): (value: Cell) => string {
  if ('metrics' in level) return (value) => spec.metrics[pivot.metrics[Number(value)]!]?.label ?? ''
  return formatter(column?.kind === 'time' ? level.format : 'PLAIN_NUMBER', locale)
}

const padding = 17
const toggle = 20
const maxSampledCells = 1500

export interface PivotWidths {
  /** Widths of the row heading levels. */
  rows: number[]
  columns: number[]
}

/** Maximum widths in px of headings and cells when space is scarce. */
const maxTightWidths = { row: 320, heading: 200, cell: 280 }
const least = 56

/** Like `textWidth`, with the font weights of a table. */
type Wide = (text: string, isTabular?: boolean) => number

/**
 * Computes widths in px that fit the headings and a sample of the cells. When space is scarce, long ones are cut, and row
 * headings shrink to less than half of it, the widest first. Remaining space goes to the cut ones first, then to all, up to 1.5
 * times their width.
 */
export function computePivotWidths(drawn: RenderedPivot, room: number, fontSize = 12): PivotWidths {
  const wide: Wide = (text, isTabular = false) => textWidth(text, fontSize, { isTabular }) * 1.06
  const natural = measureRowHeadings(drawn, wide)
  const rowWidths = natural.map((width) => Math.min(maxTightWidths.row, width))
  const demands = measureColumns(drawn, wide)
  const columnWidths = computeColumnWidths(drawn, demands, wide, maxTightWidths)
  const most = Math.max(room * 0.45, 96)
  const head = sum(rowWidths)
  const isTight = head > most && head + sum(columnWidths) > room
  const cap = isTight ? capFor(rowWidths, most) : Infinity
  const fitted = rowWidths.map((width) => Math.max(least, Math.min(cap, width)))

  const cut = [...fitted, ...columnWidths]
  const uncut = [...natural, ...computeColumnWidths(drawn, demands, wide, { heading: Infinity, cell: Infinity })]
  const wanted = sum(uncut) - sum(cut)
  const given = wanted > 0 ? Math.min(1, Math.max(0, room - sum(cut)) / wanted) : 0
  const whole = cut.map((width, index) => width + (uncut[index]! - width) * given)
  const stretch = Math.min(1.5, Math.max(1, room / sum(whole)))
  const placed = whole.map((width) => Math.floor(width * stretch))
  return { rows: placed.slice(0, fitted.length), columns: placed.slice(fitted.length) }
}

function measureRowHeadings({ rows, columns }: RenderedPivot, wide: Wide): number[] {
  const rowWidths = rows.spans.map((spans, level) => {
    const extra = padding + (rows.canClose(level) ? toggle : 0)
    const step = Math.max(1, Math.floor(spans.length / 400))
    let widest = wide(rows.names[level] ?? '') + 4
    for (let index = 0; index < spans.length; index += step) {
      const span = spans[index]!
      // The label of a total spans the remaining levels, unless metrics follow.
      if (span.kind === 'word' && span.end - span.from === 1 && level < rows.spans.length - 1) continue
      widest = Math.max(widest, wide(rows.labelOf(span)))
    }
    return Math.ceil(Math.max(least, widest + extra))
  })
  // The names of the column levels are in the corner, the last one next to that of the last row level.
  const last = rowWidths.length - 1
  const missingWidth = Math.max(
    wide(rows.names[last] ?? '') + wide(columns.names.at(-1) ?? '') + 2 * padding - rowWidths[last]!,
    ...columns.names.map((name) => wide(name) + padding - sum(rowWidths)),
  )
  if (missingWidth > 0) rowWidths[last]! += Math.ceil(missingWidth)
  return rowWidths
}

/** Widths needed by the heading of a column and by the widest of a sample of its cells. */
interface ColumnDemand {
  heading: number
  cells: number
}

function measureColumns({ rows, columns, cell, textOf }: RenderedPivot, wide: Wide): ColumnDemand[] {
  const step = Math.max(1, Math.ceil((rows.lines.length * columns.lines.length) / maxSampledCells))
  const sampled = rows.lines.filter((line, index) => index % step === 0 || line.kind === 'total')
  const innermost = columns.spans.at(-1) ?? []
  return columns.lines.map((column, index) => {
    const word = columns.spans.find((spans) => {
      const span = findSpan(spans, index)
      return span?.kind === 'word' && span.end - span.from === 1
    })
    const heading = findSpan(word ?? innermost, index)
    const cells = Math.max(0, ...sampled.map((row) => wide(textOf(cell(row, column)), true)))
    return { heading: heading ? wide(columns.labelOf(heading)) : 0, cells }
  })
}

/** A heading over several columns uses their total width; missing width is distributed among them. */
function computeColumnWidths(
  { columns }: RenderedPivot,
  demands: readonly ColumnDemand[],
  wide: Wide,
  most: { heading: number; cell: number },
): number[] {
  const widths = demands.map(({ heading, cells }) =>
    Math.ceil(Math.min(most.cell, Math.max(least, Math.max(Math.min(most.heading, heading), cells) + padding))),
  )
  for (let level = columns.spans.length - 2; level >= 0; level -= 1)
    for (const span of columns.spans[level]!) {
      if (span.kind !== 'group' && span.end - span.from === 1) continue
      const extra = padding + (span.kind === 'group' && columns.canClose(level) ? toggle : 0)
      const has = sum(widths.slice(span.from, span.end))
      const lacks = Math.min(most.heading, wide(columns.labelOf(span))) + extra - has
      if (lacks > 0)
        for (let index = span.from; index < span.end; index += 1)
          widths[index]! += Math.ceil(lacks / (span.end - span.from))
    }
  return widths
}

/** Returns the width to which the widest must shrink for all to fit; the widest shrink first. */
function capFor(widths: readonly number[], room: number): number {
  let left = room
  const ascending = widths.toSorted((a, b) => a - b)
  for (const [at, width] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - at))
    if (width > share) return share
    left -= width
  }
  return Infinity
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
