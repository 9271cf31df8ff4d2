import { cellAt, genericOf, numberAt, textAt, type Cell, type Column } from '@parquetry/frame'
import { formatter } from '../shared/formats/format.ts'
import { parseNumericText } from '../shared/formats/numeric-text.ts'
import { parseColor, withAlpha } from '../shared/colors/color.ts'
import type { ChartTheme } from '../resolve/theme.ts'
import type { TableColumn } from './columns.ts'
import { safeColor } from '../resolve/paint.ts'
import {
  isConditionMet,
  computeTintStrength,
  type ConditionalFormat,
  type ConditionValue,
} from '../shared/conditional-formats.ts'

/**
 * Returns a formatter for a column. Exact numbers sent as text are formatted as numbers if no integer digit is lost; a column
 * without a format shows them unchanged.
 */
export function columnFormatter(column: TableColumn, locale: string): (value: Cell | undefined) => string {
  const write = formatter(column.format ?? 'PLAIN_NUMBER', locale)
  if (!column.isNumeric) return write
  const writeSmall = column.smallFormat === undefined ? write : formatter(column.smallFormat, locale)
  return (value) => {
    const number = typeof value === 'string' && column.format !== null ? parseNumericText(value) : value
    return typeof number === 'number' && Math.abs(number) < 1 ? writeSmall(number) : write(number)
  }
}

/** Returns a cell bar as fractions of the cell's width; null when none is drawn. */
export function computeCellBar(
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

/** Returns the background of a cell by the last matching rule; custom colors are translucent so that text stays readable. */
export function resolveCellTint(
  { rules }: Pick<TableColumn, 'rules'>,
  value: ConditionValue,
  theme: ChartTheme,
): string | null {
  return resolveCellColors({ rules }, () => value, theme).ground
}

/**
 * Returns background and text color of a cell, each by the last matching rule.
 * @param valueOf  returns the value of a column in the cell's row
 */
export function resolveCellColors(
  { rules }: Pick<TableColumn, 'rules'>,
  valueOf: (column: string) => ConditionValue,
  theme: ChartTheme,
): { ground: string | null; ink: string | null } {
  let [ground, ink]: (string | null)[] = [null, null]
  for (const rule of rules) {
    const value = valueOf(rule.column)
    if (!isConditionMet(rule, value)) continue
    if (rule.inText) ink = toTextColor(rule.color, theme)
    else ground = toBackground(rule, computeTintStrength(rule, value), theme)
  }
  return { ground: ground ?? null, ink: ink ?? null }
}

function toBackground({ color }: ConditionalFormat, strength: number, { tints, tintOpacity }: ChartTheme): string {
  const own = Object.hasOwn(tints, color) ? tints[color as keyof typeof tints] : null
  if (own === null && parseColor(color)) return withAlpha(color, tintOpacity * strength)
  const tint = own ?? tints.green
  return strength < 1 ? withAlpha(tint, Math.round(strength * 100) / 100) : tint
}

function toTextColor(color: string, theme: ChartTheme): string {
  const named = { green: theme.good, yellow: theme.caution, red: theme.bad }
  return Object.hasOwn(named, color) ? named[color as keyof typeof named] : safeColor(color, theme)
}

/** Returns the value that rules compare: numbers, booleans, and text unchanged. */
export function readConditionValue(column: Column | undefined, row: number): ConditionValue {
  if (!column) return null
  if (column.kind === 'boolean') return cellAt(column, row) as boolean | null
  return genericOf(column) === 1 ? textAt(column, row) : numberAt(column, row)
}
