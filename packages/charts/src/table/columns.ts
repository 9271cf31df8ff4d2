import { genericOf, numberAt, type Column, type Frame } from '@parquetry/frame'
import { labelOfMetric } from '@parquetry/model'
import type { Static } from 'typebox'
import type { SpecContext } from '../define.ts'
import { grainFormat } from '../shared/formats/time.ts'
import { withCurrency, type Currency } from '../shared/formats/format.ts'
import { findColumn } from '../shared/column.ts'
import { readConditionalFormats, type ConditionalFormat } from '../shared/conditional-formats.ts'
import {
  comparisonColumnNames,
  readTableTimeShift,
  comparisonSigns,
  type ComparisonRole,
  type CompareSettings,
} from './compare.ts'
import type { ColumnConfig } from './form.ts'
import { isShareOfAllRows, type TableSettings } from '../shared/table/query.ts'

/** A column of the table. Plain JSON; the values stay in the frame. */
export interface TableColumn {
  name: string
  label: string
  /** Format name of numbers and times; null for text and unformatted numbers. */
  format: string | null
  /** Format of numbers between -1 and 1, if the form sets a separate one. */
  smallFormat?: string
  align: 'left' | 'center' | 'right'
  isMetric: boolean
  isNumeric: boolean
  width: number | null
  /** Range of the cell bars; null without bars. Zero is at the left edge unless `isCentered`. */
  bars: { low: number; high: number; isCentered: boolean; isSigned: boolean } | null
  rules: ConditionalFormat[]
  /** Shares of the rows shown, of which there are more: their total is that of these rows only. */
  isShareOfRowsShown?: true
}

type Config = Static<typeof ColumnConfig>

/** A column of the response and its content: a metric or a share of one, alone or compared with another time. */
interface SourceColumn {
  column: Column
  isShare: boolean
  isMetric: boolean
  /** The metric from which it is computed, and how; null without a comparison. */
  compared: { metric: string; as: ComparisonRole } | null
}

export function tableColumns(frame: Frame, form: TableForm, context: SpecContext): TableColumn[] {
  const reads = readColumns(frame, form)
  const rules = readConditionalFormats(form.conditional_formatting, (name) => {
    const read = reads.find((each) => each.column.name === name || comparisonAlias(each) === name)
    return computeRange(read?.column, frame.rows)
  })
  const hasMoreRows = frame.rows >= (form.row_limit || Infinity)
  return reads.flatMap((read): TableColumn[] => {
    const { column, isMetric, isShare, compared } = read
    const alias = comparisonAlias(read)
    const config: Config = (alias !== null && form.column_config[alias]) || form.column_config[column.name] || {}
    if (config.visible === false) return []
    const isNumeric = genericOf(column) === 0
    const named = rules.filter((rule) => rule.column === column.name || rule.column === alias || rule.onRow)
    return [
      {
        name: column.name,
        label: config.customColumnName || buildLabel(read, form, context),
        format: resolveFormat(read, config, form, context),
        ...(isNumeric && config.d3SmallNumberFormat && { smallFormat: resolveSmallFormat(config) }),
        align: config.horizontalAlign ?? (isNumeric ? 'right' : 'left'),
        isMetric,
        isNumeric,
        width: config.columnWidth ?? null,
        bars:
          (compared ? compared.as === 'main' : isMetric || form.query_mode === 'raw') &&
          isNumeric &&
          (config.showCellBars ?? form.show_cell_bars)
            ? computeBarRange(column, frame.rows, config, form)
            : null,
        rules: [
          ...changeRules(read, form),
          ...named.map((rule) => (rule.column === alias ? { ...rule, column: column.name } : rule)),
        ],
        ...(isShare && hasMoreRows && !isShareOfAllRows(form) && { isShareOfRowsShown: true }),
      },
    ]
  })
}

/** Returns the name of a comparison column in the settings of other clients. */
const comparisonAlias = ({ compared }: SourceColumn): string | null =>
  compared && `${comparisonSigns[compared.as]} ${compared.metric}`

/** Returns the columns of the response, with comparison columns after their metric. */
function readColumns(frame: Frame, form: TableForm): SourceColumn[] {
  const isRaw = form.query_mode === 'raw'
  const own = isRaw ? [] : form.metrics.map(labelOfMetric)
  const metrics = new Set([...own, ...(isRaw ? [] : form.percent_metrics.map(labelOfMetric))])
  const shift = readTableTimeShift(form)
  const others = shift === null ? [] : own.map((metric) => [metric, comparisonColumnNames(metric, shift)] as const)
  const behind = new Set(
    frame.columns.map(({ name }) => name).filter((name) => isComparisonColumn(name, metrics, shift)),
  )
  return frame.columns
    .filter(({ name }) => !behind.has(name))
    .flatMap((column): SourceColumn[] => {
      const isShare = column.name.startsWith('%') && metrics.has(column.name.slice(1))
      const plain = { column, isShare, isMetric: metrics.has(column.name) || isShare, compared: null }
      const [metric, names] = others.find(([label]) => label === column.name) ?? []
      if (metric === undefined || !names) return [plain]
      return (['main', 'previous', 'difference', 'percentage'] as const).flatMap((as): SourceColumn[] => {
        const found = findColumn(frame, names[as])
        return found ? [{ column: found, isShare: false, isMetric: true, compared: { metric, as } }] : []
      })
    })
}

/** Returns true for comparison columns, which follow their metric. Those of shares are not queried or shown. */
const isComparisonColumn = (name: string, metrics: ReadonlySet<string>, shift: string | null): boolean =>
  shift !== null &&
  [...metrics].some((metric) => {
    const { main: _, ...others } = comparisonColumnNames(metric, shift)
    return Object.values(others).includes(name)
  })

/** Colors increases and decreases as good or bad. */
function changeRules({ column, compared }: SourceColumn, form: TableForm): ConditionalFormat[] {
  if (!form.comparison_color_enabled || !compared || !['difference', 'percentage'].includes(compared.as)) return []
  const [more, less] = form.comparison_color_scheme === 'Red' ? ['red', 'green'] : ['green', 'red']
  const rule = { column: column.name, target: 0, left: null, right: null, inText: true }
  return [
    { ...rule, operator: '>', color: more as string },
    { ...rule, operator: '<', color: less as string },
  ]
}

type TableForm = TableSettings & DisplaySettings & CompareSettings

/** The settings that do not affect the query. */
interface DisplaySettings {
  column_config: Record<string, Config>
  conditional_formatting: unknown[]
  table_timestamp_format: string
  show_cell_bars: boolean
  align_pn: boolean
  color_pn: boolean
}

function buildLabel({ column, isShare, compared }: SourceColumn, form: TableForm, context: SpecContext): string {
  if (isShare) return `% ${context.displayName(column.name.slice(1))}`
  if (!compared || compared.as === 'main') return context.displayName(column.name)
  // `%` already labels a share of the same metric.
  const isTaken = compared.as === 'percentage' && form.percent_metrics.map(labelOfMetric).includes(compared.metric)
  return `${isTaken ? '△ %' : comparisonSigns[compared.as]} ${context.displayName(compared.metric)}`
}

function resolveFormat(
  { column, isMetric, isShare, compared }: SourceColumn,
  config: Config,
  form: TableForm,
  context: SpecContext,
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
  if (config.fractionDigits !== undefined) return withCurrency(`,.${config.fractionDigits}f`, currency)
  if (isShare) return ',.1~%'
  if (compared?.as === 'percentage') return '+,.1%'
  if (isMetric) return withCurrency(context.formatOf(compared?.metric ?? column.name), currency)
  return currency?.symbol ? withCurrency('PLAIN_NUMBER', currency) : null
}

const resolveSmallFormat = ({ d3SmallNumberFormat, currencyFormat }: Config): string =>
  withCurrency(d3SmallNumberFormat ?? 'SMART_NUMBER', currencyFormat as Currency | undefined)

function computeBarRange(column: Column, rows: number, config: Config, form: DisplaySettings): TableColumn['bars'] {
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

/** Returns the lowest and highest value of a numeric column. */
function computeRange(column: Column | undefined, rows: number): readonly [number, number] | null {
  let [low, high] = [Infinity, -Infinity]
  for (let row = 0; column && row < rows; row++) {
    const value = numberAt(column, row)
    if (value === null || !Number.isFinite(value)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return low <= high ? [low, high] : null
}
