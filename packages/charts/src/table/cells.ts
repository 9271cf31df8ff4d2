import type { Cell } from '@parquetry/frame'
import { formatter } from '../shared/formats/format.ts'
import { parseColor, withAlpha } from '../shared/colors/color.ts'
import { tints, type ChartTheme } from '../resolve/theme.ts'
import type { TableColumn } from './columns.ts'
import { holds } from '../shared/rules.ts'

/** Writes the values of a column. */
export const writerOf = (column: TableColumn, locale: string): ((value: Cell | undefined) => string) =>
  formatter(column.format ?? 'FULL_NUMBER', locale)

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
export function tintOf({ rules }: TableColumn, value: number | null, theme: ChartTheme): string | null {
  const color = rules.findLast((rule) => holds(rule, value))?.color
  if (!color) return null
  const own = tints[theme.name]
  if (Object.hasOwn(own, color)) return own[color as keyof typeof own]
  return parseColor(color) ? withAlpha(color, theme.name === 'dark' ? 0.35 : 0.25) : own.green
}
