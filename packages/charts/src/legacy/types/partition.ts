import { type Cell, cellAt, type Frame, textAt } from '@parquetry/frame'
import { labelOfColumn } from '@parquetry/model/labels'
import { message } from '@parquetry/model/message'
import type { ChartForm } from '../../define.ts'
import {
  readValues,
  requireColumn,
  listColumns,
  readLevels,
  mean,
  metricLabels,
  listMetrics,
  requireItems,
  readNumbers,
  getOwn,
  badRequest,
  sum,
  timestampColumn,
  groupBy,
} from '../read.ts'
import type { RowsType } from '../type.ts'

interface Part {
  name: Cell
  val: number | null
  children: Part[]
}

/** Calculates the value of a part from its rows. */
type Measure = (rows: readonly number[]) => number | null

interface Level {
  names: readonly Cell[]
  texts: readonly string[]
}

/**
 * Nested parts for each metric, starting at the total; time series are summed, averaged, or compared between their first and last
 * time.
 */
export const partition: RowsType = {
  query: (form) => ({
    columns: readLevels(form),
    metrics: [
      ...requireItems(listMetrics(form, 'metrics'), message('errors.legacy.metricsNeeded', 'Pick at least one metric')),
    ],
    is_timeseries: readOption(form) !== 'not_time',
  }),
  data(frame, form) {
    const option = readOption(form)
    if (option === 'adv_anal')
      throw badRequest(
        message(
          'errors.legacy.partitionAnalytics',
          'This endpoint does not support advanced analytics of partition charts. Use /api/v1/chart/data instead.',
        ),
      )
    const labels = listColumns(form, 'groupby').map(labelOfColumn)
    const levels = (option === 'time_series' ? [timestampColumn, ...labels] : labels).map((name) =>
      readLevel(frame, name),
    )
    const rows = Array.from({ length: frame.rows }, (_, row) => row)
    const times = option.startsWith('point_') ? readNumbers(frame, timestampColumn) : []
    return metricLabels(listMetrics(form, 'metrics')).map((metric): Part => {
      const values = readNumbers(frame, metric)
      const measure = createMeasure(option, values, times)
      return { name: metric, val: measure(rows), children: buildParts(rows, levels, measure) }
    })
  },
}

const readOption = ({ time_series_option: option }: ChartForm): string =>
  typeof option === 'string' ? option : 'not_time'

function readLevel(frame: Frame, name: string): Level {
  const column = requireColumn(frame, name)
  const texts = Array.from({ length: frame.rows }, (_, row) => textAt(column, row) ?? '')
  return {
    names: readValues(frame, name),
    texts: texts.map((text, row) => (cellAt(column, row) === null ? '\0' : text)),
  }
}

function buildParts(rows: readonly number[], [level, ...deeper]: readonly Level[], measure: Measure): Part[] {
  if (!level) return []
  return [...groupBy(rows, (row) => level.texts[row]!)].map(([, inside]) => ({
    name: level.names[inside[0]!] ?? null,
    val: measure(inside),
    children: buildParts(inside, deeper, measure),
  }))
}

const changes: Record<string, (first: number, last: number) => number> = {
  point_diff: (first, last) => last - first,
  point_factor: (first, last) => last / first,
  point_percent: (first, last) => (last - first) / first,
}

function createMeasure(option: string, values: (number | null)[], times: (number | null)[]): Measure {
  const of = (rows: readonly number[]) => rows.map((row) => values[row] ?? null)
  if (option === 'agg_mean') return (rows) => mean(of(rows))
  const change = getOwn(changes, option)
  if (!change) return (rows) => sum(of(rows))
  const ends = times.filter((time) => time !== null)
  const [first, last] = [
    ends.reduce((least, time) => Math.min(least, time), Infinity),
    ends.reduce((most, time) => Math.max(most, time), -Infinity),
  ]
  return (rows) => {
    const at = (end: number) => sum(of(rows.filter((row) => times[row] === end)))
    const result = change(at(first), at(last))
    return Number.isFinite(result) ? result : null
  }
}
