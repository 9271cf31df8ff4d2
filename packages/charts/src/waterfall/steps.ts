import { cellAt, textAt, type Column, type Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import type { SpecContext } from '../define.ts'
import { findColumn } from '../shared/column.ts'
import { formatter, nullText } from '../shared/formats/format.ts'
import { resolveLocale } from '../shared/formats/locale.ts'
import { formatAxisTimes, grainFormat } from '../shared/formats/time.ts'
import { findColumns, finiteAt, dimensionFormatter } from '../shared/items.ts'

export type WaterfallStepKind = 'increase' | 'decrease' | 'total'

/** One bar, which starts where the previous one ends. */
export interface WaterfallStep {
  /** Label on the axis. */
  name: string
  /** Title of the tooltip: the position on the axis, and the part of its change. */
  title: string
  change: WaterfallStepKind
  /** Change of the bar; null when the response has none. For a total, the value that it reaches. */
  value: number | null
  from: number
  to: number
}

export interface StepSettings {
  x_axis?: QueryColumn | null
  groupby: readonly QueryColumn[]
  metric: QueryMetric
  time_grain_sqla?: string | null
  x_axis_time_format: string
  show_total: boolean
}

interface StepGroup {
  /** Short on the axis, and in full. */
  names: [string, string]
  parts: { name: string; value: number | null }[]
}

/**
 * Returns the bars of a response whose rows are sorted by the axis. Without a breakdown, one per position and the total at the
 * end; with one, a bar per part, and the running total after the parts of each position.
 */
export function buildWaterfallSteps(
  frame: Frame,
  x: string,
  settings: StepSettings,
  total: string,
  context: SpecContext,
): WaterfallStep[] {
  const { groupby, show_total } = settings
  const places = groupSteps(frame, x, settings, context)
  const steps: WaterfallStep[] = []
  let at = 0
  const add = (name: string, title: string, value: number | null): void => {
    const to = clampValue(at + (value ?? 0))
    steps.push({ name, title, change: (value ?? 0) < 0 ? 'decrease' : 'increase', value, from: at, to })
    at = to
  }
  const sumUp = (name: string, title: string): void => {
    if (show_total) steps.push({ name, title, change: 'total', value: at, from: 0, to: at })
  }
  for (const { names, parts } of places) {
    if (groupby.length === 0) {
      add(names[0], names[1], sumParts(parts))
      continue
    }
    for (const { name, value } of parts) add(show_total ? name : `${name}\n${names[0]}`, `${names[1]}, ${name}`, value)
    sumUp(names[0], names[1])
  }
  if (groupby.length === 0 && places.length > 0) sumUp(total, total)
  return steps
}

/** Clamps extreme values so that the axis stays finite. */
const clampValue = (value: number): number => Math.max(-maxValue, Math.min(maxValue, value))
const maxValue = 1e300

const sumParts = (parts: StepGroup['parts']): number | null =>
  parts.reduce<number | null>((sum, { value }) => (value === null ? sum : (sum ?? 0) + value), null)

/** Groups rows by axis value, in the order of first occurrence. */
function groupSteps(frame: Frame, x: string, settings: StepSettings, context: SpecContext): StepGroup[] {
  const axis = findColumn(frame, x)
  const values = findColumn(frame, labelOfMetric(settings.metric))
  if (!axis || !values) return []
  const parts = findColumns(frame, settings.groupby)
  const nameOf = dimensionFormatter(context, 'smart_date')
  const rowsOf = new Map<string | null, number[]>()
  for (let row = 0; row < frame.rows; row++) {
    const key = textAt(axis, row)
    const rows = rowsOf.get(key)
    if (rows) rows.push(row)
    else rowsOf.set(key, [row])
  }
  const rows = [...rowsOf.values()]
  const names = nameGroups(
    axis,
    rows.map(([row]) => row as number),
    settings,
    context,
  )
  return rows.map((own, index) => ({
    names: names[index] as [string, string],
    parts: own.map((row) => ({
      name: parts.map((column) => nameOf(column, cellAt(column, row))).join(', '),
      value: finiteAt(values, row),
    })),
  }))
}

/** Returns the names of the positions on the axis and in full. */
function nameGroups(axis: Column, rows: number[], settings: StepSettings, context: SpecContext): [string, string][] {
  const cells = rows.map((row) => cellAt(axis, row))
  if (axis.kind !== 'time')
    return cells.map((cell) => dimensionFormatter(context, '')(axis, cell)).map((name) => [name, name])
  const { x_axis_time_format: format, time_grain_sqla: grain, groupby } = settings
  const isAdaptive = format.startsWith('smart_date')
  const full = formatter(isAdaptive ? grainFormat(grain) : format, context.locale)
  const times = cells.filter((cell) => cell !== null) as number[]
  const isReadAlone = groupby.length > 0 || times.length > maxGroupedLabels
  const alone = formatter(aloneFormat[grain ?? ''] ?? grainFormat(grain), context.locale)
  const short = isReadAlone ? times.map(alone) : formatAxisTimes(times, resolveLocale(context.locale))
  const shortOf = new Map(times.map((time, index) => [time, short[index] as string]))
  return cells.map((cell) => {
    if (cell === null) return [nullText, nullText]
    const name = full(cell)
    return [isAdaptive && !isNamed(grain) ? (shortOf.get(cell as number) ?? name) : name, name]
  })
}

/** With a breakdown, or when not all labels fit, each label includes its year. */
const maxGroupedLabels = 12
const aloneFormat: Record<string, string> = { P1M: '%b %Y', P1D: '%b %-d, %Y' }

/** Quarters use their full name, because they are not recognizable from their first month. */
const isNamed = (grain: string | null | undefined): boolean => grain === 'P3M' || grain === 'P0.25Y'

/** Returns the axis column of the bars as named in the response. */
export const xColumnLabel = ({
  x_axis,
  granularity_sqla,
}: {
  x_axis?: QueryColumn | null
  granularity_sqla?: unknown
}) => (x_axis ? labelOfColumn(x_axis) : typeof granularity_sqla === 'string' ? granularity_sqla : null)
