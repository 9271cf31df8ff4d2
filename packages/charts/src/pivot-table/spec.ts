import { labelOfColumn, labelOfMetric, type QueryColumn } from '@parquetry/model'
import type { Static } from 'typebox'
import type { ChartForm, SpecContext } from '../define.ts'
import { createTranslator } from '../resolve/text.ts'
import { readConditionalFormats, type ConditionalFormat } from '../shared/conditional-formats.ts'
import { grainFormat } from '../shared/formats/time.ts'
import { aggregateText } from './aggregate-text.ts'
import { form, type PivotOrder } from './form.ts'
import { listPivotNotes } from './notes.ts'

export type PivotSettings = Static<typeof form> & ChartForm

/** A level of rows or columns: a dimension, or the metrics. */
export type PivotLevel = { name: string; label: string; format: string } | { metrics: true; label: string }

export interface PivotMetric {
  name: string
  label: string
  /** Format of its cells and totals. */
  format: string
  rules: ConditionalFormat[]
}

/** The levels of an axis, and which totals it has, and where. */
export interface PivotAxis {
  levels: PivotLevel[]
  order: PivotOrder
  subtotals: 'none' | 'first' | 'last'
  /** Adds a total line at the end. */
  hasTotal: boolean
}

/** Spec drawn by the pivot table's View and SVG, together with the frame `cells`. Plain JSON. */
export interface PivotSpec extends Record<string, unknown> {
  rows: PivotAxis
  columns: PivotAxis
  metrics: PivotMetric[]
  /** Name of the aggregate. */
  aggregate: string
  words: { total: string; subtotal: string; subtotalTitle: string }
  /** Notes about the values, one sentence each. */
  notes: string[]
}

const isFraction = (aggregate: string) => aggregate.includes(' as Fraction of ')
const counts = new Set(['Count', 'Count Unique Values'])

export function pivotSpec(settings: PivotSettings, rows: number, context: SpecContext): PivotSpec {
  const { aggregateFunction: aggregate, metrics } = settings
  const say = createTranslator(context)
  const formatOf = (own: string): string => {
    const usual = isFraction(aggregate) ? ',.1%' : counts.has(aggregate) ? ',d' : null
    return usual === null ? own : isAdaptive(settings.valueFormat) ? usual : settings.valueFormat
  }
  const [ofRows, ofColumns] = [
    buildLevels(settings.groupbyRows, settings, context),
    buildLevels(settings.groupbyColumns, settings, context),
  ]
  const [rowLevels, columnLevels] = settings.transposePivot ? [ofColumns, ofRows] : [ofRows, ofColumns]
  const withMetrics = (levels: PivotLevel[], on: 'ROWS' | 'COLUMNS'): PivotLevel[] => {
    if (settings.metricsLayout !== on) return levels
    // As columns, metrics need no heading.
    const own: PivotLevel = { metrics: true, label: on === 'ROWS' ? say('picture.pivot.metric', 'Metric') : '' }
    return settings.combineMetric ? [...levels, own] : [own, ...levels]
  }
  const rules = readConditionalFormats(settings.conditional_formatting)
  const word = aggregateText(say, aggregate)
  const down: PivotAxis = {
    levels: withMetrics(rowLevels, 'ROWS'),
    order: settings.rowOrder,
    subtotals: !settings.rowSubTotals ? 'none' : settings.rowSubtotalPosition ? 'first' : 'last',
    hasTotal: settings.colTotals,
  }
  const across: PivotAxis = {
    levels: withMetrics(columnLevels, 'COLUMNS'),
    order: settings.colOrder,
    subtotals: !settings.colSubTotals ? 'none' : settings.colSubtotalPosition ? 'first' : 'last',
    hasTotal: settings.rowTotals,
  }
  return {
    rows: down,
    columns: across,
    metrics: metrics.map((metric) => {
      const name = labelOfMetric(metric)
      return {
        name,
        label: context.displayName(name),
        format: formatOf(context.formatOf(metric)),
        rules: rules.filter(({ column }) => column === name),
      }
    }),
    aggregate,
    words: {
      total: say('picture.pivot.total', 'Total ({aggregate})', { aggregate: word }),
      subtotal: say('picture.pivot.subtotal', 'Subtotal'),
      subtotalTitle: say('picture.pivot.subtotalOf', 'Subtotal ({aggregate})', { aggregate: word }),
    },
    notes: listPivotNotes(settings, { down, across, rows }, context),
  }
}

const isAdaptive = (format: string) => format === 'SMART_NUMBER' || format === ''

const buildLevels = (columns: readonly QueryColumn[], settings: PivotSettings, context: SpecContext): PivotLevel[] =>
  columns.map((column) => {
    const name = labelOfColumn(column)
    const grain = settings.temporal_columns_lookup?.[name] === true ? settings.time_grain_sqla : null
    return {
      name,
      label: context.displayName(name),
      format: settings.date_format === 'smart_date' ? grainFormat(grain) : settings.date_format,
    }
  })
