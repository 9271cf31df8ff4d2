import type { Cell } from '@parquetry/frame'
import { formatter } from '../shared/formats/format.ts'
import { parseColor, withAlpha } from '../shared/colors/color.ts'
import type { ChartTheme } from '../resolve/theme.ts'
import type { TableColumn } from './columns.ts'
import { holds } from '../shared/rules.ts'

/**
 * Writes the values of a column. Numbers that came as text to be exact are numbers where no digit before the point is lost; a
 * column without a format shows them as they came.
 */
export function writerOf(column: TableColumn, locale: string): (value: Cell | undefined) => string {
  const write = formatter(column.format ?? 'PLAIN_NUMBER', locale)
  if (!column.isNumeric) return write
  const writeSmall = column.smallFormat === undefined ? write : formatter(column.smallFormat, locale)
  return (value) => {
    const number = typeof value === 'string' && column.format !== null ? numberIn(value) : value
    return typeof number === 'number' && Math.abs(number) < 1 ? writeSmall(number) : write(number)
  }
}

/** A double keeps 15 digits; the text where that is too few. */
function numberIn(text: string): Cell {
  const [, whole, rest] = /^-?(\d+)(\.\d*)?$/.exec(text) ?? []
  if (whole === undefined) return text
  if (whole.length <= 15) return Number(text)
  return rest === undefined ? BigInt(text) : text
}

/** A cell bar as parts of the cell's width; null where none is drawn. */
export function barOf(
  { bars }: TableColumn,
  value: number | null,
): { from: number; size: number; isNegative: boolean } | null {
  if (!bars || value === null) return null
  const { low, high, isCentered, isSigned } = bars
  const isNegative = isSigned && value < 0
  if (!isCentered) return { from: 0, size: Math.abs(value) / Math.max(Math.abs(low), high), isNegative }
  const zero = -low / (high - low)
  const size = Math.abs(value) / (high - low)
  return { from: value < 0 ? zero - size : zero, size, isNegative }
}

/** Ground of a cell by the last rule that holds for it; a colour of the author's is laid thin, so that text stays readable. */
export function tintOf({ rules }: Pick<TableColumn, 'rules'>, value: number | null, theme: ChartTheme): string | null {
  const color = rules.findLast((rule) => holds(rule, value))?.color
  if (!color) return null
  const { tints } = theme
  if (Object.hasOwn(tints, color)) return tints[color as keyof typeof tints]
  return parseColor(color) ? withAlpha(color, theme.tintOpacity) : tints.green
}
