import { cellAt, textAt, type Cell, type Column, type Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import type { SpecContext } from '../define.ts'
import { findColumn } from '../shared/column.ts'
import { formatter } from '../shared/formats/format.ts'
import { findColumns, finiteAt, dimensionFormatter } from '../shared/items.ts'

export interface BarSettings {
  start_time: QueryColumn
  end_time: QueryColumn
  y_axis: QueryColumn
  series?: QueryColumn | null
  subcategories: boolean
  tooltip_columns: readonly QueryColumn[]
  tooltip_metrics: readonly QueryMetric[]
  tooltipTimeFormat: string
  tooltipValuesFormat: string
}

/** Drawn part of a result: fields as the series kind `gantt` expects them, groups without colors. */
export interface GanttBars {
  rows: { name: string; lanes: number }[]
  groups: string[]
  data: {
    row: number
    group: number
    lane: number
    from: number
    to: number
    key: Record<string, Cell>
    times: Record<string, Cell>
    details: [name: string, value: string][]
  }[]
  omitted: { open: number; backward: number }
}

export const noBars: GanttBars = { rows: [], groups: [], data: [], omitted: { open: 0, backward: 0 } }

/** Limit of a JavaScript date: milliseconds before and after 1970. */
const maxDateMs = 8.64e15

/**
 * Returns one bar per result row, in rows by the value of `y_axis` in order of first appearance. With subcategories, each row has
 * one lane per dimension value that it contains; otherwise its bars share one.
 */
export function buildGanttBars(frame: Frame, settings: BarSettings, context: SpecContext): GanttBars {
  const findNamed = (column: QueryColumn) => findColumn(frame, labelOfColumn(column))
  const [start, end, category] = [settings.start_time, settings.end_time, settings.y_axis].map(findNamed)
  if (!start || !end || !category) return noBars
  const series = settings.series ? findNamed(settings.series) : undefined
  const dimensions = [category, ...(series ? [series] : [])]
  const nameOf = dimensionFormatter(context, 'smart_date')
  const detailsOf = detailsReader(frame, settings, context)
  const rows = createFirstSeenIndex()
  const groups = createFirstSeenIndex()
  const lanesOf: FirstSeenIndex[] = []
  const omitted = { open: 0, backward: 0 }
  const found: GanttBars['data'] = []
  for (let index = 0; index < frame.rows; index++) {
    const [from, to] = [timeAt(start, index), timeAt(end, index)]
    if (from === null || to === null || to < from) {
      omitted[from === null || to === null ? 'open' : 'backward'] += 1
      continue
    }
    const row = rows.place(textAt(category, index), index)
    const value = series ? textAt(series, index) : null
    const lanes = (lanesOf[row] ??= createFirstSeenIndex())
    found.push({
      row,
      group: groups.place(value, index),
      lane: lanes.place(settings.subcategories ? value : null, index),
      from,
      to,
      key: Object.fromEntries(dimensions.map((column) => [column.name, cellAt(column, index)])),
      times: { [start.name]: from, [end.name]: to },
      details: detailsOf(index),
    })
  }
  let sum = 0
  const firstLanes = lanesOf.map(({ first }) => {
    const before = sum
    sum += first.length
    return before
  })
  return {
    rows: rows.first.map((index, row) => ({
      name: nameOf(category, cellAt(category, index)),
      lanes: lanesOf[row]?.first.length ?? 0,
    })),
    groups: groups.first.map((index) => (series ? nameOf(series, cellAt(series, index)) : '')),
    data: found.map((bar) => ({ ...bar, lane: (firstLanes[bar.row] ?? 0) + bar.lane })),
    omitted,
  }
}

interface FirstSeenIndex {
  /** Position of a value in order of first appearance. */
  place(value: string | null, index: number): number
  /** Row of the first appearance of each value. */
  first: number[]
}

function createFirstSeenIndex(): FirstSeenIndex {
  const places = new Map<string | null, number>()
  const first: number[] = []
  return {
    first,
    place(value, index) {
      const known = places.get(value)
      if (known !== undefined) return known
      places.set(value, first.length)
      return first.push(index) - 1
    },
  }
}

/** Null for values that are not calendar times. */
function timeAt(column: Column, row: number): number | null {
  const time = finiteAt(column, row)
  return time !== null && Math.abs(time) <= maxDateMs ? time : null
}

/** Formats the tooltip details other than the times. */
function detailsReader(
  frame: Frame,
  { tooltip_columns, tooltip_metrics, tooltipTimeFormat, tooltipValuesFormat }: BarSettings,
  context: SpecContext,
): (row: number) => [string, string][] {
  const nameOf = dimensionFormatter(context, tooltipTimeFormat)
  const columns = findColumns(frame, tooltip_columns)
  const metrics = tooltip_metrics.flatMap((metric) => {
    const column = findColumn(frame, labelOfMetric(metric))
    const isAdaptive = tooltipValuesFormat === 'SMART_NUMBER'
    const write = formatter(isAdaptive ? context.formatOf(metric) : tooltipValuesFormat, context.locale)
    return column ? [{ column, write }] : []
  })
  return (row) => [
    ...columns.map((column): [string, string] => [
      context.displayName(column.name),
      nameOf(column, cellAt(column, row)),
    ]),
    ...metrics.map(({ column, write }): [string, string] => [
      context.displayName(column.name),
      write(cellAt(column, row)),
    ]),
  ]
}
