import { columnOf } from '@parquetry/frame'
import type { Cells } from '../views/grid/index.ts'
import type { Rectangle } from '../views/grid/selection.ts'
import { withoutNoise } from '../shared/formats/number.ts'
import type { DrawnAxis, DrawnPivot } from './drawn.ts'
import { spanAt } from './lines.ts'

/** The part of a pivot that is selected, headings repeated so that each row and column stands for itself. */
export function cellsToCopy({ rows, columns, cell }: DrawnPivot, { top, bottom, left, right }: Rectangle): Cells {
  const levels = rows.spans.length
  const places = Array.from({ length: right - left + 1 }, (_, at) => left + at)
  const lines = rows.lines.slice(top, bottom + 1)
  return {
    columns: places.map((place) => {
      if (place < levels)
        return columnOf(
          lines.map((_, at) => labelAt(rows, place, top + at)),
          rows.names[place] ?? '',
        )
      const column = columns.lines[place - levels]!
      const values = lines.map((row) => {
        const { value } = cell(row, column)
        return typeof value === 'number' ? withoutNoise(value) : (value ?? null)
      })
      return columnOf(values, '')
    }),
    rows: lines.map((_, at) => at),
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

function labelAt({ spans, labelOf }: DrawnAxis, level: number, line: number): string {
  const span = spanAt(spans[level]!, line)
  return span ? labelOf(span) : ''
}
