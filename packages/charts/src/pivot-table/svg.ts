import type { Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import { truncateText, round, svgText, type TextStyle } from '../shared/svg-text.ts'
import { textWidth, wrapText } from '../shared/text-width.ts'
import { renderPivot, computePivotWidths, type RenderedPivot, type PivotWidths } from './render-pivot.ts'
import type { PivotLine } from './lines.ts'
import { buildPivot } from './pivot.ts'
import type { PivotSpec } from './spec.ts'

const rowHeight = 26
const padding = 8
const size = 12
const noteSize = 11
const noteHeight = 16
/** Narrower tables are thumbnails and not meant to be read. */
const narrowestRead = 250
/** Semibold text is wider than the measured widths. */
const boldness = 1.06

interface Box {
  x: number
  y: number
  w: number
  h?: number
}

/**
 * Draws the part of a pivot table that fits as the content of an SVG, always with its totals; below it are the number of omitted
 * rows and columns, whether the totals include them, and the notes.
 */
export default function drawPivotTable(given: Spec, frames: Record<string, Frame>, around: RenderContext) {
  const spec = given as PivotSpec
  const { theme, width, height, translate } = around
  const frame = frames.cells ?? { rows: 0, columns: [] }
  const drawn = renderPivot(buildPivot(frame, spec), frame, spec, around.locale)
  const { rows, columns } = drawn
  const widths = computePivotWidths(drawn, width, size)
  const head = columns.spans.length * rowHeight
  const headings = widths.rows.reduce((sum, each) => sum + each, 0)
  const acrossLines = fittingColumns(columns.lines, widths.columns, width + 1 - headings)
  const across = acrossLines.length
  const [rowStarts, columnStarts] = computeStarts({
    rows: widths.rows,
    columns: acrossLines.map((column) => widths.columns[column]!),
  })
  const isRead = width >= narrowestRead
  const wrapNote = (text: string): string[] => (isRead && text ? wrapText(text, width - 2 * padding, noteSize) : [])
  const notes = wrapNote(spec.notes.join(' '))
  const whole = head + rows.lines.length * rowHeight + notes.length * noteHeight
  const isCut = across < columns.lines.length || whole > height
  const longestCut = isCut ? wrapNote(cutText(drawn, 0, across, translate)).length : 0
  const reserved = notes.length + longestCut
  const fitting = Math.max(0, Math.floor((height - head - reserved * noteHeight - (reserved > 0 ? 4 : 0)) / rowHeight))
  const shown = shownRows(rows.lines, fitting)
  const down = shown.length
  const right = across === 0 ? width : Math.min(width, columnStarts[across - 1]! + widths.columns[acrossLines.at(-1)!]!)

  const parts = [`<rect width="${round(right)}" height="${head}" fill="${theme.sunken}"/>`]
  const at = (place: number) => columnStarts[place] ?? right
  const line = (x: number, y: number, w: number) =>
    parts.push(`<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="1" fill="${theme.border}"/>`)
  const write = (text: string, box: Box, look: Partial<TextStyle> = {}) =>
    parts.push(cellText(text, box, theme.text, look))

  for (const [level, spans] of columns.spans.entries()) {
    const y = level * rowHeight
    if (columns.names[level] && level < columns.spans.length - 1)
      write(columns.names[level], { x: 0, y, w: columnStarts[0] ?? 0 }, { anchor: 'end', fill: theme.text3 })
    for (const span of spans) {
      const places = acrossLines.flatMap((column, place) => (column >= span.from && column < span.end ? [place] : []))
      if (places.length === 0 || span.kind === 'rest') continue
      const x = at(places[0]!)
      const w = at(places.at(-1)! + 1) - x
      const isWide = span.end - span.from > 1
      const isInner = (level === columns.spans.length - 1 || span.kind === 'word') && !isWide
      write(columns.labelOf(span), { x, y, w }, { anchor: isInner ? 'end' : 'start', fill: theme.text2, weight: 500 })
      if (level < columns.spans.length - 1 && (span.kind === 'group' || isWide)) line(x + 4, y + rowHeight - 1, w - 8)
    }
  }
  const beside = columns.names.at(-1) ?? ''
  for (const [level, name] of rows.names.entries()) {
    const taken =
      level < rows.names.length - 1 || !beside
        ? 0
        : Math.min(textWidth(beside, size) + padding, widths.rows[level]! / 2)
    const box = { x: rowStarts[level]!, y: head - rowHeight, w: widths.rows[level]! - taken }
    write(name, box, { fill: theme.text2, weight: 500 })
    if (taken > 0)
      write(beside, { ...box, x: box.x + box.w - padding, w: taken + padding }, { anchor: 'end', fill: theme.text3 })
  }

  for (const [place, row] of shown.entries()) {
    const y = head + place * rowHeight
    const from = rows.lines[row]!
    for (const [acrossPlace, column] of acrossLines.entries()) {
      const to = columns.lines[column]!
      const cell = drawn.cell(from, to)
      const box = { x: at(acrossPlace), y, w: widths.columns[column]! }
      const tint = drawn.tint(from, to, cell, theme)
      if (tint)
        parts.push(`<rect x="${round(box.x)}" y="${y}" width="${round(box.w)}" height="${rowHeight}" fill="${tint}"/>`)
      const fill = cell.value === null ? theme.text3 : theme.text
      write(drawn.textOf(cell), box, { anchor: 'end', weight: fontWeightOf(from, to), fill })
    }
  }
  for (const [level, spans] of rows.spans.entries())
    for (const span of spans) {
      const places = shown.flatMap((row, place) => (row >= span.from && row < span.end ? [place] : []))
      const place = places[0]
      if (place === undefined || span.kind === 'rest') continue
      const y = head + place * rowHeight
      const x = rowStarts[level]!
      const weight = span.kind === 'group' ? 400 : span.group.level < 0 ? 600 : 500
      // The label of a total spans the remaining levels; one per metric leaves the last level to the metrics.
      const end = span.end - span.from > 1 ? rowStarts.at(-1)! : (columnStarts[0] ?? right)
      const w = span.kind === 'word' ? end - x : widths.rows[level]!
      write(rows.labelOf(span), { x, y, w }, { weight })
      line(
        x,
        head + (place + places.length) * rowHeight - 1,
        level === rows.spans.length - 1 || span.kind === 'word' ? right - x : widths.rows[level]!,
      )
    }
  const bottom = head + down * rowHeight + 4
  const below = [...wrapNote(isCut ? cutText(drawn, down, across, translate) : ''), ...notes]
  for (const [place, text] of below.entries())
    write(
      text,
      { x: 0, y: bottom + place * noteHeight, w: width, h: noteHeight },
      { size: noteSize, fill: theme.text3 },
    )
  const describe = translate(
    'picture.describe.pivot',
    'Pivot table of {metrics}: {rows, plural, one {# row} other {# rows}}, {columns, plural, one {# column} other {# columns}}.',
    {
      metrics: spec.metrics.map(({ label }) => label).join(', '),
      rows: rows.lines.length,
      columns: columns.lines.length,
    },
  )
  return { body: parts.join(''), describe }
}

/** Returns the number of totals at the end: one, or one per metric. */
const countTotals = (lines: readonly PivotLine[]): number => lines.filter(({ kind }) => kind === 'total').length

/** Returns the first rows that fit, always including the totals. */
function shownRows(lines: readonly PivotLine[], fitting: number): number[] {
  const places = lines.map((_, index) => index)
  const totals = countTotals(lines)
  if (lines.length <= fitting || totals === 0 || fitting <= totals) return places.slice(0, fitting)
  return [...places.slice(0, fitting - totals), ...places.slice(-totals)]
}

/** Returns the first columns that fit in a width, always including the totals and at least one. */
function fittingColumns(lines: readonly PivotLine[], widths: readonly number[], room: number): number[] {
  const totals = countTotals(lines)
  const places = lines.map((_, index) => index)
  const fitting = (available: number) => {
    let left = available
    return places.findIndex((index) => (left -= widths[index]!) < 0)
  }
  const all = fitting(room)
  if (all === -1) return places
  if (totals === 0) return places.slice(0, Math.max(1, all))
  const widthOfTotals = widths.slice(-totals).reduce((sum, width) => sum + width, 0)
  const beforeTotals = fitting(room - widthOfTotals)
  return beforeTotals > 0
    ? [...places.slice(0, beforeTotals), ...places.slice(-totals)]
    : places.slice(0, Math.max(1, all))
}

function computeStarts({ rows, columns }: PivotWidths): [rows: number[], columns: number[]] {
  let x = 0
  const placed = (widths: number[]) =>
    widths.map((width) => {
      x += width
      return x - width
    })
  return [placed(rows), placed(columns)]
}

const fontWeightOf = (row: PivotLine, column: PivotLine): number =>
  row.kind === 'total' || column.kind === 'total'
    ? 600
    : row.kind === 'subtotal' || column.kind === 'subtotal'
      ? 500
      : 400

function cellText(text: string, { x, y, w, h = rowHeight }: Box, fill: string, look: Partial<TextStyle>): string {
  if (text === '') return ''
  const own = look.size ?? size
  const anchor = look.anchor ?? 'start'
  const from = anchor === 'end' ? x + w - padding : x + padding
  return svgText(
    from,
    y + h / 2 + own * 0.36,
    truncateText(text, own * (look.weight === 600 ? boldness : 1), w - 2 * padding + 1),
    { size: own, fill, ...look, anchor },
  )
}

const isOverLines = ({ kind }: PivotLine): boolean => kind !== 'leaf'

/** Returns the number of omitted rows and columns. A total next to them is not the sum of what is drawn, so it is explained. */
const cutText = (
  { rows, columns }: RenderedPivot,
  down: number,
  across: number,
  say: RenderContext['translate'],
): string =>
  [
    rows.lines.length > down
      ? say('picture.pivot.moreRows', '{count, plural, one {# more row} other {# more rows}} not shown.', {
          count: rows.lines.length - down,
        })
      : '',
    columns.lines.length > across
      ? say('picture.pivot.moreColumns', '{count, plural, one {# more column} other {# more columns}} not shown.', {
          count: columns.lines.length - across,
        })
      : '',
    (rows.lines.length > down && rows.lines.some(isOverLines)) ||
    (columns.lines.length > across && columns.lines.some(isOverLines))
      ? say('picture.pivot.totalsOfAll', 'Totals include what is not shown.')
      : '',
  ]
    .filter(Boolean)
    .join(' ')
