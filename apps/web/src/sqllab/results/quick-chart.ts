import type { ChartForm, DatasetDisplay } from '@parquetry/charts'
import { cellAt, buildColumn, genericOf, isNull, numberAt, textAt, type Column, type Frame } from '@parquetry/frame'

export type QuickChartKind = 'bar' | 'line' | 'area' | 'scatter' | 'pie'
export type Aggregate = 'SUM' | 'AVG' | 'MIN' | 'MAX' | 'COUNT'

/** Columns are identified by their index in the result. */
export interface QuickChartConfig {
  kind: QuickChartKind
  x: number
  /** Null counts the rows. */
  y: number | null
  aggregate: Aggregate
}

export interface QuickChartSpec {
  form: ChartForm
  frames: Record<string, Frame>
  dataset: DatasetDisplay
  /** Points shown, and points in total. */
  points: number
  all: number
}

const vizTypes: Record<QuickChartKind, string> = {
  bar: 'echarts_timeseries_bar',
  line: 'echarts_timeseries_line',
  area: 'echarts_area',
  scatter: 'echarts_timeseries_scatter',
  pie: 'pie',
}

/** More points would be unreadable. */
const maxPoints: Record<QuickChartKind, number> = { bar: 200, line: 10_000, area: 10_000, scatter: 10_000, pie: 12 }

/** Suggests a chart: a line over time, else bars of the first text; draws the last number. */
export function suggestQuickChart(frame: Frame): QuickChartConfig {
  const find = (generic: number): number => frame.columns.findIndex((column) => genericOf(column) === generic)
  const [time, text, flag] = [find(2), find(1), find(3)]
  const numbers = frame.columns.flatMap((column, index) => (genericOf(column) === 0 ? [index] : []))
  const x = [time, text, flag].find((index) => index >= 0) ?? numbers[0] ?? 0
  const y = numbers.findLast((index) => index !== x) ?? null
  const kind = time >= 0 ? 'line' : x === numbers[0] ? 'scatter' : 'bar'
  return { kind, x, y, aggregate: y === null ? 'COUNT' : 'SUM' }
}

/**
 * Charts a result without a dataset. Rows with the same x become one point; a scatter plot draws each row. Bars and slices stay
 * in row order, lines are sorted by time or number.
 */
export function buildQuickChart(frame: Frame, { kind, x, y, aggregate }: QuickChartConfig): QuickChartSpec | null {
  const across = frame.columns[x]
  const up = y === null ? null : frame.columns[y]
  if (!across || up === undefined) return null
  const isTime = across.kind === 'time'
  const label =
    up === null || aggregate === 'COUNT' ? 'COUNT(*)' : kind === 'scatter' ? up.name : `${aggregate}(${up.name})`
  const xLabel = across.name === label ? `${across.name} ` : across.name
  const points = kind === 'scatter' ? eachRow(frame, across, up) : grouped(frame, across, up, aggregate)
  if (kind !== 'bar' && kind !== 'pie' && (isTime || genericOf(across) === 0))
    points.sort((a, b) => Number(a.x) - Number(b.x))
  const shown = points.slice(0, maxPoints[kind])
  const xs: Column = isTime
    ? { ...across, name: xLabel, validity: null, data: Float64Array.from(shown, ({ x: at }) => Number(at)) }
    : buildColumn(
        shown.map(({ x: at }) => at),
        xLabel,
      )
  const chartFrame: Frame = {
    rows: shown.length,
    columns: [
      xs,
      buildColumn(
        shown.map(({ y: value }) => value),
        label,
      ),
    ],
  }
  const form: ChartForm = {
    viz_type: vizTypes[kind],
    color_scheme: 'parquetry',
    row_limit: maxPoints[kind],
    ...(kind === 'pie'
      ? { groupby: [xLabel], metric: label, donut: true }
      : { x_axis: xLabel, metrics: [label], groupby: [], ...(isTime && { granularity_sqla: xLabel }) }),
  }
  return {
    form,
    frames: { [kind === 'pie' ? 'slices' : 'series']: chartFrame },
    dataset: { columns: [{ column_name: xLabel, is_dttm: isTime, type_generic: genericOf(across) }] },
    points: shown.length,
    all: points.length,
  }
}

interface Point {
  x: string | number | boolean | null
  y: number | null
}

/** Long integers become doubles: a chart is not read to the last digit. */
const xAt = (column: Column, row: number): Point['x'] => {
  if (genericOf(column) === 0) return numberAt(column, row)
  const cell = cellAt(column, row)
  return typeof cell === 'bigint' ? Number(cell) : cell
}

function eachRow(frame: Frame, across: Column, up: Column | null): Point[] {
  return Array.from({ length: frame.rows }, (_, row) => ({
    x: xAt(across, row),
    y: up ? numberAt(up, row) : 1,
  })).filter((point) => point.x !== null && point.y !== null)
}

function grouped(frame: Frame, across: Column, up: Column | null, aggregate: Aggregate): Point[] {
  const groups = new Map<string | null, { x: Point['x']; sum: number; count: number; least: number; most: number }>()
  const isTime = across.kind === 'time'
  for (let row = 0; row < frame.rows; row += 1) {
    if (isTime && isNull(across, row)) continue
    const key = textAt(across, row)
    let group = groups.get(key)
    if (!group) groups.set(key, (group = { x: xAt(across, row), sum: 0, count: 0, least: Infinity, most: -Infinity }))
    const value = up ? numberAt(up, row) : 1
    if (value === null) continue
    group.sum += value
    group.count += 1
    group.least = Math.min(group.least, value)
    group.most = Math.max(group.most, value)
  }
  const values: Record<Aggregate, (group: { sum: number; count: number; least: number; most: number }) => number> = {
    SUM: ({ sum }) => sum,
    AVG: ({ sum, count }) => sum / count,
    MIN: ({ least }) => least,
    MAX: ({ most }) => most,
    COUNT: ({ count }) => count,
  }
  return [...groups.values()].map((group) => ({
    x: group.x,
    y: group.count === 0 && aggregate !== 'COUNT' ? null : values[aggregate](group),
  }))
}
