import { findNativeChart, type NativeChartKind } from '@parquetry/charts'
import { genericOf, type Column, type Frame } from '@parquetry/frame'
import type { PictureChart } from '@parquetry/model'
import { isAllDates } from './column-formats.ts'

/** A chart that spreadsheet programs draw from the cells of its sheet. Columns are indexes of the frame. */
export interface NativeChart {
  kind: NativeChartKind | 'doughnut'
  title: string
  /** Names below the axis or of slices, or the x values. */
  category: number
  series: number[]
  isStacked: boolean
  isHorizontal: boolean
  /** Kind of the categories: an axis of days keeps gaps, but merges the hours of a day. */
  axis: 'names' | 'days' | 'times'
  rows: number
}

/** More series or rows make a chart that is not readable, and that programs draw slowly. */
const maxSeries = 50
const maxPoints = 20_000

/** Chooses the native chart for a table of a chart; null for other types, and for too many points. */
export function chooseNativeChart(
  { viz_type, form, title }: PictureChart,
  { columns, rows }: Frame,
): NativeChart | null {
  const numeric = columns.flatMap((column, index) => (genericOf(column) === 0 ? [index] : []))
  const shared = {
    title,
    rows,
    isStacked: form['stack'] === true || form['stack'] === 'Stack',
    isHorizontal: form['orientation'] === 'horizontal',
    axis: axisOf(columns[0], rows),
  }
  const chart = ((): NativeChart | null => {
    const kind = findNativeChart(viz_type)
    if (!kind) return null
    if (viz_type.startsWith('echarts_'))
      return { ...shared, kind, category: 0, series: numeric.filter((index) => index > 0) }
    if (kind === 'pie') {
      const metric = columns.findIndex(({ name }) => name === labelOf(form['metric']))
      const measure = numeric.includes(metric) ? metric : numeric.at(-1)
      const named = columns.findIndex((column) => genericOf(column) !== 0)
      if (measure === undefined || named < 0) return null
      return { ...shared, kind: form['donut'] === true ? 'doughnut' : 'pie', category: named, series: [measure] }
    }
    const indexOf = (key: 'x' | 'y') => columns.findIndex(({ name }) => name === labelOf(form[key]))
    const [x, y] = [indexOf('x'), indexOf('y')]
    return x < 0 || y < 0 ? null : { ...shared, kind, category: x, series: [y] }
  })()
  if (!chart || rows === 0 || chart.series.length === 0 || chart.series.length > maxSeries) return null
  return rows * chart.series.length > maxPoints ? null : chart
}

const axisOf = (column: Column | undefined, rows: number): NativeChart['axis'] =>
  column?.kind !== 'time' ? 'names' : isAllDates(column, rows) ? 'days' : 'times'

const labelOf = (metric: unknown): unknown =>
  typeof metric === 'object' && metric !== null ? (metric as { label?: unknown }).label : metric
