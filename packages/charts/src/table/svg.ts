import { cellAt, numberAt, type Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import { truncateText, round, svgText } from '../shared/svg-text.ts'
import { textWidth } from '../shared/text-width.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import type { TableColumn } from './columns.ts'
import { findColumn } from '../shared/column.ts'
import { computeCellBar, resolveCellColors, readConditionValue, columnFormatter } from './cells.ts'
import type { TableSpec } from './chart.ts'
import { tableRowHeight } from './row-height.ts'

const padding = 10
const size = 12

/** Draws the first rows and columns of a table that fit as the content of an SVG; the rest is counted at the bottom. */
export default function drawTable(given: Spec, frames: Record<string, Frame>, around: RenderContext) {
  const spec = given as TableSpec
  const { theme, width, height, translate, locale } = around
  const written = (count: number) => new Intl.NumberFormat(locale).format(count)
  const frame = frames.rows ?? { rows: 0, columns: [] }
  const { from, shown, hasTotals, columns } = around.tableRows
    ? chooseRows(spec, frame, around.tableRows, around)
    : fitRows(spec, frame, around)
  const omitted = {
    rows: around.tableRows && !around.tableRows.isLast ? 0 : frame.rows - from - shown,
    columns: spec.columns.length - columns.length,
  }
  const isCut = omitted.rows > 0 || omitted.columns > 0
  const parts = [`<rect width="${width}" height="${tableRowHeight}" fill="${theme.sunken}"/>`]
  for (const { column, x, w } of columns)
    parts.push(cell(column.label, column, { x, w, y: 0 }, { fill: theme.text2, weight: 500 }))
  for (let row = from; row < from + shown; row++) {
    const y = tableRowHeight * (row - from + 1)
    for (const { column, x, w, values, write } of columns) {
      if (!values) continue
      const value = numberAt(values, row)
      const { ground, ink } = resolveCellColors(
        column,
        (name) => readConditionValue(findColumn(frame, name), row),
        theme,
      )
      if (ground)
        parts.push(`<rect x="${round(x)}" y="${y}" width="${round(w)}" height="${tableRowHeight}" fill="${ground}"/>`)
      const bar = computeCellBar(column, value)
      if (bar)
        parts.push(
          `<rect x="${round(x + bar.from * w)}" y="${y + 4}" width="${round(bar.size * w)}" height="${tableRowHeight - 8}" fill="${bar.isNegative ? theme.bad : theme.accent}" fill-opacity="0.16" rx="2"/>`,
        )
      const text = write(cellAt(values, row))
      // Without a browser, HTML is reduced to its text.
      const words = spec.hasHtml ? text.replace(/<[^>]*>/g, '') : text
      parts.push(cell(words, column, { x, w, y }, { fill: ink ?? theme.text }))
    }
    parts.push(`<rect y="${y + tableRowHeight - 1}" width="${width}" height="1" fill="${theme.border}"/>`)
  }
  if (spec.totals && hasTotals) {
    const y = tableRowHeight * (shown + 1)
    for (const [at, { column, x, w, write }] of columns.entries()) {
      const total = spec.totals[column.name]
      if (total === undefined && at === 0 && !column.isMetric) {
        const label =
          spec.totalsCoverMore || from + shown < frame.rows
            ? translate('picture.table.totalOfAll', 'Total of all rows')
            : translate('picture.table.total', 'Total')
        parts.push(cell(label, column, { x, w, y }, { fill: theme.text, weight: 600 }))
      }
      if (total === undefined) continue
      const note = column.isShareOfRowsShown ? ` ${translate('picture.table.ofRowsShown', 'of the rows shown')}` : ''
      parts.push(cell(write(total) + note, column, { x, w, y }, { fill: theme.text, weight: 600 }))
    }
  }
  if (isCut) {
    const note = [
      ...(omitted.rows > 0
        ? [
            translate('picture.table.rows', '{rows} of {allRows} rows', {
              rows: written(from + shown),
              allRows: written(frame.rows),
            }),
          ]
        : []),
      ...(omitted.columns > 0
        ? [
            translate('picture.table.moreColumns', '{count, plural, one {# more column} other {# more columns}}', {
              count: omitted.columns,
            }),
          ]
        : []),
      ...(around.hasFullTable ? [translate('picture.table.inFull', 'all rows at the end')] : []),
    ].join(' · ')
    parts.push(
      svgText(padding, height - 8, truncateText(note, 11, width - 2 * padding), { size: 11, fill: theme.text3 }),
    )
  }
  const describe = translate(
    'picture.describe.table',
    'Table of {columns}: {count, plural, one {# row} other {# rows}}.',
    {
      columns: spec.columns.map(({ label }) => label).join(', '),
      count: frame.rows,
    },
  )
  return { body: parts.join(''), describe, omitted }
}

/** The first rows and columns that fit. */
function fitRows(spec: TableSpec, frame: Frame, around: RenderContext) {
  const { height } = around
  const besides = tableRowHeight * (spec.totals ? 2 : 1)
  const room = Math.max(0, Math.floor((height - besides) / tableRowHeight))
  const isCut = frame.rows > room || layOutColumns(spec.columns, frame, room, around).length < spec.columns.length
  // A separate row reports what is omitted.
  const free = height - besides - (isCut ? tableRowHeight : 0)
  const shown = Math.min(frame.rows, Math.max(0, Math.floor(free / tableRowHeight)))
  return { from: 0, shown, hasTotals: true, columns: layOutColumns(spec.columns, frame, shown, around) }
}

/** Columns are as wide on all pages, as far as a limited number of rows tells. */
const measuredRows = 1000

function chooseRows(
  spec: TableSpec,
  frame: Frame,
  { from, to, isLast }: NonNullable<RenderContext['tableRows']>,
  around: RenderContext,
) {
  const columns = layOutColumns(spec.columns, frame, Math.min(frame.rows, measuredRows), around)
  return { from, shown: Math.min(to, frame.rows) - from, hasTotals: isLast, columns }
}

function layOutColumns(columns: TableColumn[], frame: Frame, shown: number, { width, locale }: RenderContext) {
  const wanted = columns.map((column) => {
    const values = frame.columns.find(({ name }) => name === column.name)
    const write = columnFormatter(column, locale)
    let widest = textWidth(column.label, size)
    for (let row = 0; values && row < shown; row++)
      widest = Math.max(widest, textWidth(write(cellAt(values, row)), size))
    // Long texts leave space for a second column.
    const most = column.align === 'left' ? Math.min(260, width * 0.6) : 260
    return { column, values, write, w: Math.min(widest + 2 * padding, most) }
  })
  // A column that is cut would show wrong numbers, so only whole ones are drawn, and at least one.
  let taken = 0
  const whole = wanted.filter(({ w }, index) => (taken += w) <= width || index === 0)
  const stretch = width / whole.reduce((sum, { w }) => sum + w, 0)
  let x = 0
  return whole.map(({ w, ...rest }) => {
    const own = w * stretch
    x += own
    return { ...rest, x: x - own, w: own }
  })
}

function cell(
  text: string,
  column: TableColumn,
  { x, w, y }: { x: number; w: number; y: number },
  look: { fill: string; weight?: number },
): string {
  const anchor = ({ left: 'start', center: 'middle', right: 'end' } as const)[column.align]
  const at = { start: x + padding, middle: x + w / 2, end: x + w - padding }[anchor]
  return svgText(at, y + tableRowHeight / 2 + size * 0.36, truncateText(text, size, w - 2 * padding + 1), {
    size,
    anchor,
    ...look,
  })
}
