import { buildColumn } from '@parquetry/frame'
import type { CellBlock } from '../views/grid/index.ts'
import type { CellRange } from '../views/grid/selection.ts'
import { stripFloatNoise } from '../shared/formats/number.ts'
import type { RenderedAxis, RenderedPivot } from './render-pivot.ts'
import { findSpan } from './lines.ts'

/** Returns the selected part of a pivot, with headings repeated so that each row and column is self-contained. */
export function cellsToCopy(
  { rows, columns, cell }: RenderedPivot,
  { top, bottom, left, right }: CellRange,
): CellBlock {
  const levels = rows.spans.length
  const places = Array.from({ length: right - left + 1 }, (_, index) => left + index)
  const lines = rows.lines.slice(top, bottom + 1)
  return {
    columns: places.map((place) => {
      if (place < levels)
        return buildColumn(
          lines.map((_, index) => labelAt(rows, place, top + index)),
          rows.names[place] ?? '',
        )
      const column = columns.lines[place - levels]!
      const values = lines.map((row) => {
        const { value } = cell(row, column)
        return typeof value === 'number' ? stripFloatNoise(value) : (value ?? null)
      })
      return buildColumn(values, '')
    }),
    rows: lines.map((_, index) => index),
    heads: columns.spans.map((_, level) =>
      places.map((place) =>
        place >= levels
          ? labelAt(columns, level, place - levels)
          : level === columns.spans.length - 1
            ? (rows.names[place] ?? '')
            : '',
      ),
    ),
  }
}

function labelAt({ spans, labelOf }: RenderedAxis, level: number, line: number): string {
  const span = findSpan(spans[level]!, line)
  return span ? labelOf(span) : ''
}
