import type { Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import { formatter } from '../shared/formats/format.ts'
import { truncateText, round, svgText } from '../shared/svg-text.ts'
import { textWidth } from '../shared/text-width.ts'
import type { TimeTableCell, TimeTableColumn, TimeTableSpec } from './chart.ts'
import { toneTextColor } from './tone-color.ts'
import { computeSparklineRange, buildSparklineShape, type SparklineCell } from './sparkline.ts'

const padding = 10
const size = 12
const headHeight = 26
const minSparklineWidth = 90

/** Draws the rows and columns that fit as the content of an SVG; the number of omitted rows is shown below. */
export default function drawTimeTable(given: Spec, _frames: Record<string, Frame>, around: RenderContext) {
  const spec = given as TimeTableSpec
  const { theme, width, height, translate } = around
  const heights = spec.columns.flatMap(({ spark }) => (spark ? [spark.height + 8] : []))
  const rowHeight = Math.min(Math.max(26, ...heights), Math.max(26, (height - headHeight) / 2))
  const foot = spec.last ? 20 : 0
  const count = Math.min(spec.rows.length, Math.max(1, Math.floor((height - headHeight - foot) / rowHeight)))
  const rows = spec.rows.slice(0, count)
  const columns = layOutColumns(spec, rows, around)
  const first = columns[0]?.x ?? width
  const parts = [`<rect width="${width}" height="${headHeight}" fill="${theme.sunken}"/>`]
  const name = (text: string, y: number, fill: string) =>
    svgText(padding, y + size * 0.36, truncateText(text, size, first - padding), { size, fill, weight: 500 })
  parts.push(name(spec.heading, headHeight / 2, theme.text2))
  for (const { column, x, w } of columns) {
    const look = { size, fill: theme.text2, weight: 500 }
    const text = truncateText(column.label, size, w - 1.6 * padding)
    parts.push(
      column.spark
        ? svgText(x + padding, headHeight / 2 + size * 0.36, text, look)
        : svgText(x + w - padding, headHeight / 2 + size * 0.36, text, { ...look, anchor: 'end' }),
    )
  }
  for (const [index, row] of rows.entries()) {
    const y = headHeight + index * rowHeight
    parts.push(name(row.name, y + rowHeight / 2, theme.text))
    for (const { at, column, x, w } of columns) {
      const cell = row.cells[at]
      if (cell) parts.push(drawCell(cell, column, { x, y, w, h: rowHeight }, around))
    }
    parts.push(`<rect y="${round(y + rowHeight - 1)}" width="${width}" height="1" fill="${theme.border}"/>`)
  }
  const hidden = spec.rows.length - count
  const more =
    hidden > 0
      ? translate('picture.table.more', '{count, plural, one {# more row} other {# more rows}}', { count: hidden })
      : ''
  const note = [spec.last, more].filter(Boolean).join(' · ')
  if (note)
    parts.push(
      svgText(padding, height - 6, truncateText(note, 11, width - 2 * padding), { size: 11, fill: theme.text3 }),
    )
  const describe = translate(
    'picture.describe.timeTable',
    'Time-series table of {columns}: {count, plural, one {# row} other {# rows}}.',
    {
      columns: spec.columns.map(({ label }) => label).join(', '),
      count: spec.rows.length,
    },
  )
  return { body: parts.join(''), describe }
}

interface ColumnPlacement {
  column: TimeTableColumn
  at: number
  x: number
  w: number
}

/**
 * Value columns are as wide as their content, sparklines as set in the form or as the remaining space; columns that do not fit
 * are omitted.
 */
function layOutColumns(
  { columns, heading }: TimeTableSpec,
  rows: TimeTableSpec['rows'],
  { width, locale }: RenderContext,
): ColumnPlacement[] {
  const names =
    Math.max(textWidth(heading, size), ...rows.map(({ name }) => textWidth(name, size))) * 1.06 + 2 * padding
  const first = Math.min(names, columns.length === 0 ? width : width * 0.4)
  const wanted = columns.map(({ label, spark }, index) => {
    const texts = rows.map(({ cells }) => {
      const cell = cells[index]
      return cell && 'value' in cell ? formatter(cell.format, locale)(cell.value) : ''
    })
    const widest = Math.max(textWidth(label, size) * 1.06, ...texts.map((text) => textWidth(text, size))) + 2 * padding
    return spark ? Math.max(minSparklineWidth, spark.width ?? minSparklineWidth) : Math.min(widest, 200)
  })
  const left = width - first - wanted.reduce((sum, each) => sum + each, 0)
  const open = columns.filter(({ spark }) => spark && spark.width === null).length
  const share = left > 0 ? left / (open || columns.length) : 0
  let x = first
  return columns.flatMap((column, index) => {
    const w = wanted[index]! + (open === 0 || (column.spark && column.spark.width === null) ? share : 0)
    const own = x
    x += w
    return own + Math.min(w, 40) <= width ? [{ column, at: index, x: own, w: Math.min(w, width - own) }] : []
  })
}

function drawCell(
  cell: TimeTableCell,
  column: TimeTableColumn,
  { x, y, w, h }: { x: number; y: number; w: number; h: number },
  around: RenderContext,
): string {
  const { theme, locale } = around
  const write = formatter(cell.format, locale)
  if ('value' in cell) {
    const fill = cell.value === null ? theme.text3 : toneTextColor(cell.tone, theme)
    return svgText(x + w - padding, y + h / 2 + size * 0.36, write(cell.value), { size, fill, anchor: 'end' })
  }
  const { spark } = column
  return spark ? drawSparkline(cell, spark, { x: x + padding, y: y + 4, w: w - 2 * padding, h: h - 8 }, around) : ''
}

function drawSparkline(
  cell: SparklineCell,
  spark: NonNullable<TimeTableColumn['spark']>,
  { x, y, w, h }: { x: number; y: number; w: number; h: number },
  { theme, locale }: RenderContext,
): string {
  const range = computeSparklineRange(cell, spark)
  if (!range) return ''
  const write = formatter(cell.format, locale)
  const ends = spark.hasAxis ? [write(range[1]), write(range[0])] : []
  const axis = ends.length > 0 ? Math.max(...ends.map((text) => textWidth(text, 10))) + 4 : 0
  const shape = buildSparklineShape(cell, spark, Math.min(spark.width ?? w, w) - axis, h)
  return [
    `<g transform="translate(${round(x)} ${round(y)})">`,
    ...ends.map((text, index) =>
      svgText(axis - 4, index === 0 ? 9 : h - 1, text, { size: 10, fill: theme.text3, anchor: 'end' }),
    ),
    `<g transform="translate(${round(axis)} 0)">`,
    shape.fill &&
      `<path d="${shape.fill}" fill="${theme.accent}" fill-opacity="${spark.line === 'bar' ? 0.85 : 0.18}"/>`,
    shape.line &&
      `<path d="${shape.line}" fill="none" stroke="${theme.accent}" stroke-width="1.5" stroke-linejoin="round"/>`,
    ...shape.dots.map((dot) => `<circle cx="${round(dot.x)}" cy="${round(dot.y)}" r="2" fill="${theme.accent}"/>`),
    '</g></g>',
  ].join('')
}
