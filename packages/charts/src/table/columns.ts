import { genericOf, numberAt, type Column, type Frame } from '@parquetry/frame'
import { labelOfMetric } from '@parquetry/model'
import type { Static } from 'typebox'
import type { Look } from '../define.ts'
import { grainFormat } from '../shared/formats/time.ts'
import { withCurrency, type Currency } from '../shared/formats/format.ts'
import { columnNamed } from '../shared/column.ts'
import { readRules, type Rule } from '../shared/rules.ts'
import type { ColumnConfig } from './form.ts'
import type { TableSettings } from '../shared/table/query.ts'

/** One column as the table draws it. Plain JSON; the values stay in the frame. */
export interface TableColumn {
  name: string
  label: string
  /** Format name of numbers and times; null for text, and for numbers that are shown as they are. */
  format: string | null
  /** Of numbers between -1 and 1, where the form says another one for them. */
  smallFormat?: string
  align: 'left' | 'center' | 'right'
  isMetric: boolean
  isNumeric: boolean
  width: number | null
  /** Range of the cell bars; null without bars. Zero lies at the left edge unless `isCentered`. */
  bars: { low: number; high: number; isCentered: boolean; isSigned: boolean } | null
  rules: Rule[]
}

type Config = Static<typeof ColumnConfig>

export function tableColumns(frame: Frame, form: TableSettings & DrawnSettings, look: Look): TableColumn[] {
  const metrics = new Set(
    form.query_mode === 'raw' ? [] : [...form.metrics, ...form.percent_metrics].map(labelOfMetric),
  )
  const rules = readRules(form.conditional_formatting, (name) => rangeOf(columnNamed(frame, name), frame.rows))
  return frame.columns.flatMap((column): TableColumn[] => {
    const config: Config = form.column_config[column.name] ?? {}
    if (config.visible === false) return []
    const isShare = column.name.startsWith('%') && metrics.has(column.name.slice(1))
    const isMetric = metrics.has(column.name) || isShare
    const isNumeric = genericOf(column) === 0
    return [
      {
        name: column.name,
        label: config.customColumnName || labelOf(column.name, isShare, look),
        format: formatOf(column, { config, isMetric, isShare }, form, look),
        ...(isNumeric && config.d3SmallNumberFormat && { smallFormat: smallFormatOf(config) }),
        align: config.horizontalAlign ?? (isNumeric ? 'right' : 'left'),
        isMetric,
        isNumeric,
        width: config.columnWidth ?? null,
        bars:
          (isMetric || form.query_mode === 'raw') && isNumeric && (config.showCellBars ?? form.show_cell_bars)
            ? barsOf(column, frame.rows, config, form)
            : null,
        rules: rules.filter((rule) => rule.column === column.name || rule.onRow),
      },
    ]
  })
}

/** The part of the form beyond the query's. */
interface DrawnSettings {
  column_config: Record<string, Config>
  conditional_formatting: unknown[]
  table_timestamp_format: string
  show_cell_bars: boolean
  align_pn: boolean
  color_pn: boolean
}

const labelOf = (name: string, isShare: boolean, look: Look) =>
  isShare ? `% ${look.verbose(name.slice(1))}` : look.verbose(name)

function formatOf(
  column: Column,
  { config, isMetric, isShare }: { config: Config; isMetric: boolean; isShare: boolean },
  form: TableSettings & DrawnSettings,
  look: Look,
): string | null {
  if (column.kind === 'time') {
    const asked = config.d3TimeFormat ?? form.table_timestamp_format
    if (asked !== 'smart_date' || config.d3TimeFormat) return asked
    const isGrained = form.temporal_columns_lookup?.[column.name] === true && Boolean(form.time_grain_sqla)
    if (isGrained) return grainFormat(form.time_grain_sqla as string)
    return column.unit === 'date' ? '%Y-%m-%d' : '%Y-%m-%d %H:%M:%S'
  }
  if (genericOf(column) !== 0) return null
  const currency = config.currencyFormat as Currency | undefined
  if (config.d3NumberFormat) return withCurrency(config.d3NumberFormat, currency)
  if (isShare) return ',.1~%'
  if (isMetric) return withCurrency(look.formatOf(column.name), currency)
  return currency?.symbol ? withCurrency('PLAIN_NUMBER', currency) : null
}

const smallFormatOf = ({ d3SmallNumberFormat, currencyFormat }: Config): string =>
  withCurrency(d3SmallNumberFormat ?? 'SMART_NUMBER', currencyFormat as Currency | undefined)

function barsOf(column: Column, rows: number, config: Config, form: DrawnSettings): TableColumn['bars'] {
  let low = 0
  let high = 0
  for (let row = 0; row < rows; row++) {
    const value = numberAt(column, row)
    if (value === null) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low === high) return null
  const isCentered = config.alignPositiveNegative ?? form.align_pn
  return { low, high, isCentered, isSigned: config.colorPositiveNegative ?? form.color_pn }
}

/** Lowest and highest value of a column of numbers. */
function rangeOf(column: Column | undefined, rows: number): readonly [number, number] | null {
  let [low, high] = [Infinity, -Infinity]
  for (let row = 0; column && row < rows; row++) {
    const value = numberAt(column, row)
    if (value === null || !Number.isFinite(value)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return low <= high ? [low, high] : null
}
