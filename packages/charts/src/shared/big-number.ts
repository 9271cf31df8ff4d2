import { cellAt, genericOf, isNull, numberAt, type Column, type Frame } from '@parquetry/frame'
import { labelOfMetric, type QueryMetric } from '@parquetry/model'
import Type from 'typebox'
import { control, type ChartForm, type SpecContext } from '../define.ts'
import { findColumn } from './column.ts'
import { currency, flag, nullable, numberFormat, timeFormat } from './controls.ts'

const size = (label: string, byDefault: number) =>
  control(Type.Number({ default: byDefault, minimum: 0.05, maximum: 1 }), {
    label,
    group: 'look',
    presets: [
      [0.2, 'Tiny'],
      [0.3, 'Small'],
      [0.4, 'Normal'],
      [0.5, 'Large'],
      [0.6, 'Huge'],
    ],
  })

export const bigNumberForm = {
  subheader: control(Type.Optional(nullable(Type.String())), {
    label: 'Subheader',
    group: 'look',
    description: 'Text below the number.',
  }),
  header_font_size: size('Number size', 0.4),
  subheader_font_size: control(Type.Number({ default: 0.15, minimum: 0.05, maximum: 1 }), {
    label: 'Subheader size',
    group: 'look',
    presets: [
      [0.125, 'Tiny'],
      [0.15, 'Small'],
      [0.2, 'Normal'],
      [0.3, 'Large'],
      [0.4, 'Huge'],
    ],
  }),
  y_axis_format: numberFormat('Number format'),
  currency_format: currency,
  time_format: timeFormat('Date format'),
  force_timestamp_formatting: flag('Format as date', false, {
    description: 'For values in milliseconds since 1970.',
  }),
}

/** Spec drawn by `BigNumberView` and the SVG of a big number. Plain JSON. */
export interface BigNumberSpec extends Record<string, unknown> {
  /** Null is drawn as `∅`, text unchanged. */
  value: number | string | null
  /** Color of the matching conditional format: `green`, `yellow`, `red`, or any color. */
  tint?: string
  /** Format name of the value. */
  format: string
  /** Verbose name of the metric. */
  measure: string
  subheader: string
  /** Shares of the height: number and subheader. */
  size: { header: number; subheader: number }
  /** Relative change from an earlier row: 0.1 is an increase of ten percent. */
  change?: { ratio: number | null; suffix: string }
  /** Time of the value, or of the first and the last value of which it is an aggregate, with their format. */
  at?: { value: number; last?: number; format: string }
  /** The period of the value is incomplete. */
  isUnfinished?: boolean
  trend?: { points: { frame: string; x: { column: string }; y: { column: string } }; color: string; fromZero: boolean }
}

interface Settings extends ChartForm {
  metric?: QueryMetric
  subheader?: string | null
  header_font_size: number
  subheader_font_size: number
  time_format: string
  force_timestamp_formatting: boolean
}

/** Builds the part that big numbers with and without a trend share. @param row -1 when there is no row */
export function bigNumberSpec(
  frame: Frame | undefined,
  row: number,
  form: Settings,
  context: SpecContext,
): BigNumberSpec {
  const label = form.metric ? labelOfMetric(form.metric) : ''
  const column = frame && findColumn(frame, label)
  const isTime = column?.kind === 'time' || form.force_timestamp_formatting
  return {
    value: column && row >= 0 ? plain(column, row) : null,
    format: isTime ? form.time_format : form.metric ? context.formatOf(form.metric) : 'SMART_NUMBER',
    measure: context.displayName(label),
    subheader: form.subheader ?? '',
    size: { header: form.header_font_size, subheader: form.subheader_font_size },
  }
}

function plain(column: Column, row: number): number | string | null {
  if (genericOf(column) === 0) return numberAt(column, row)
  const cell = cellAt(column, row)
  return typeof cell === 'bigint' ? Number(cell) : typeof cell === 'boolean' ? String(cell) : cell
}

/** Returns the rows in which the measure has a value, oldest first. */
export function rowsWithValue(frame: Frame | undefined, label: string): number[] {
  const column = frame && findColumn(frame, label)
  if (!frame || !column) return []
  return Array.from({ length: frame.rows }, (_, row) => row).filter((row) => !isNull(column, row))
}

/** Returns the relative change of the last row from the one `lag` rows before; null when that is missing or zero. */
export function computeChange(column: Column, rows: number[], lag: number): number | null {
  const now = numberAt(column, rows.at(-1) ?? -1)
  const before = rows.length > lag ? numberAt(column, rows.at(-1 - lag) as number) : null
  return now === null || before === null || before === 0 ? null : (now - before) / Math.abs(before)
}
