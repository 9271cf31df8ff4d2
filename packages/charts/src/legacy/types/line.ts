import type { Frame } from '@parquetry/frame'
import { labelOfMetric } from '@parquetry/model/labels'
import { message } from '@parquetry/model/message'
import type { ChartForm } from '../../define.ts'
import {
  listColumns,
  toList,
  metricLabels,
  listMetrics,
  requireItems,
  getOwn,
  buildLegacyOrder,
  badRequest,
  sum,
} from '../read.ts'
import {
  type PivotOptions,
  type LegacyLine,
  toLegacyLines,
  type TimeSeriesSet,
  pivotByTime,
  applyRollingWindow,
  toShares,
} from '../series.ts'
import type { RowsType } from '../type.ts'

interface Family extends Pick<PivotOptions, 'fill'> {
  /** The largest series come first, instead of in order of name. */
  bySize?: boolean
}

/** Offsets as the planner reads them: legacy forms contain `1 week` for what is now `1 week ago`. */
const readOffsets = (form: ChartForm): { offset: string; label: string }[] =>
  toList(form.time_compare).map((offset) => {
    const text = String(offset).trim()
    return { label: `${text} offset`, offset: /^\d+ \w+$/.test(text) ? `${text} ago` : text }
  })

const bySum = (over: TimeSeriesSet): TimeSeriesSet => ({
  ...over,
  series: over.series.toSorted((a, b) => sum(b.values) - sum(a.values)),
})

function processSeries(
  frame: Frame,
  form: ChartForm,
  metrics: readonly string[],
  { bySize, fill }: Family,
): TimeSeriesSet {
  const over = pivotByTime(frame, form, metrics, fill === undefined ? {} : { fill })
  const moved = applyRollingWindow(bySize ? bySum(over) : over, form)
  return form.contribution ? toShares(moved) : moved
}

const comparisons: Record<string, (now: number, then: number) => number> = {
  absolute: (now, then) => now - then,
  difference: (now, then) => now - then,
  percentage: (now, then) => (now - then) / then,
  ratio: (now, then) => now / then,
}

/** Compares series with their earlier values, from the first to the last time that has a result. */
function compareSeries(
  { times, series }: TimeSeriesSet,
  earlier: TimeSeriesSet,
  compare: (now: number, then: number) => number,
): TimeSeriesSet {
  const all = series.map((one) => {
    const other = earlier.series.find(
      ({ metric, group }) => metric === one.metric && JSON.stringify(group) === JSON.stringify(one.group),
    )
    const values = one.values.map((value, row) => {
      const then = other?.values[earlier.times.indexOf(times[row]!)] ?? null
      const result = value === null || then === null ? null : compare(value, then)
      return Number.isFinite(result) ? result : null
    })
    return { ...one, values }
  })
  const filled = times.flatMap((_, row) => (all.some(({ values }) => values[row] !== null) ? [row] : []))
  const [first = 0, last = -1] = [filled[0], filled.at(-1)]
  return {
    times: times.slice(first, last + 1),
    series: all.map((one) => ({ ...one, values: one.values.slice(first, last + 1) })),
  }
}

const keyParts = ({ key }: LegacyLine): string[] => (typeof key === 'string' ? [...key] : key)

function compareByKey(one: LegacyLine, other: LegacyLine): number {
  const [left, right] = [keyParts(one), keyParts(other)]
  const index = left.findIndex((part, place) => part !== right[place])
  if (index < 0) return left.length - right.length
  return right[index] === undefined || left[index]! > right[index] ? 1 : -1
}

/** Lines of a form's metrics, with those of earlier times or their comparison. */
export function buildLines(frame: Frame, form: ChartForm, family: Family = {}): (LegacyLine & { classed?: string })[] {
  const metrics = metricLabels(listMetrics(form, 'metrics'))
  const isSingle = metrics.length === 1
  const now = processSeries(frame, form, metrics, family)
  const compare = getOwn(comparisons, form.comparison_type)
  const earlier = readOffsets(form).flatMap(({ offset, label }, index) => {
    const names = new Map(metrics.map((metric) => [`${metric}__${offset}`, metric]))
    const then = processSeries(frame, form, [...names.keys()], family)
    const renamed = { ...then, series: then.series.map((one) => ({ ...one, metric: names.get(one.metric)! })) }
    return toLegacyLines(compare ? compareSeries(now, renamed, compare) : renamed, isSingle).map((line) => ({
      ...line,
      key: [line.key, label].flat(),
      classed: `time-shift-${index}`,
    }))
  })
  const all = [...(compare && earlier.length > 0 ? [] : toLegacyLines(now, isSingle)), ...earlier]
  return family.bySize ? all : all.toSorted(compareByKey)
}

/** Types that show metrics over time as lines, areas or bars. */
export const createSeriesType = (family: Family = {}): RowsType => ({
  query(form, { from, to }) {
    const metrics = [
      ...requireItems(listMetrics(form, 'metrics'), message('errors.legacy.metricsNeeded', 'Pick at least one metric')),
    ]
    const offsets = readOffsets(form).map(({ offset }) => offset)
    if (offsets.length > 0 && (from === null || to === null))
      throw badRequest(
        message(
          'errors.legacy.enclosedRange',
          'An enclosed time range (both start and end) must be specified when using a Time Comparison.',
        ),
      )
    const [by = metrics[0]!] = listMetrics(form, 'timeseries_limit_metric')
    return {
      columns: listColumns(form, 'groupby'),
      metrics,
      is_timeseries: true,
      orderby: [[by, !form.order_desc]],
      series_columns: listColumns(form, 'groupby'),
      ...(offsets.length > 0 && { time_offsets: offsets }),
    }
  },
  data: (frame, form) => buildLines(frame, form, family),
})

/** One metric on each of two axes. */
export const dualLine: RowsType = {
  query(form) {
    const [left] = requireItems(
      listMetrics(form, 'metric'),
      message('errors.legacy.leftMetric', 'Choose a metric for the left axis'),
    )
    const [right] = requireItems(
      listMetrics(form, 'metric_2'),
      message('errors.legacy.rightMetric', 'Choose a metric for the right axis'),
    )
    if (labelOfMetric(left!) === labelOfMetric(right!))
      throw badRequest(message('errors.legacy.sameMetric', 'Choose a different metric for each axis'))
    return { columns: [], metrics: [left!, right!], is_timeseries: true }
  },
  data(frame, form) {
    const labels = metricLabels(listMetrics(form, 'metric', 'metric_2'))
    const { times, series } = applyRollingWindow(pivotByTime(frame, form, labels, { groups: [] }), form)
    return labels.flatMap((label, index) => {
      const found = series.find(({ metric }) => metric === label)
      const values = found && times.map((x, row) => ({ x, y: found.values[row] ?? null }))
      return values ? [{ key: label, classed: '', values, yAxis: index + 1, type: 'line' }] : []
    })
  },
}

/** Lines as the parts of a rose, by time in nanoseconds. */
export const rose: RowsType = {
  ...createSeriesType(),
  data(frame, form) {
    const parts = new Map<string, object[]>()
    for (const { key, values } of buildLines(frame, form))
      for (const { x, y } of values) {
        const at = `${x}000000`
        parts.set(at, [...(parts.get(at) ?? []), { key, value: y ?? 0, name: key, time: x }])
      }
    return Object.fromEntries(parts)
  },
}

/** Measurements of each metric for paired comparison, by group or overall. */
export const pairedTtest: RowsType = {
  query: (form) => ({
    columns: listColumns(form, 'groupby'),
    metrics: [
      ...requireItems(listMetrics(form, 'metrics'), message('errors.legacy.metricsNeeded', 'Pick at least one metric')),
    ],
    is_timeseries: true,
    ...(form.timeseries_limit_metric ? { orderby: buildLegacyOrder(form, [], false) } : {}),
  }),
  data(frame, form) {
    const labels = metricLabels(listMetrics(form, 'metrics'))
    const { times, series } = pivotByTime(frame, form, labels)
    const groupsOf = (label: string) =>
      series
        .filter(({ metric }) => metric === label)
        .map(({ group, values }) => ({
          group: group.length > 0 ? group : 'All',
          values: times.map((x, row) => ({ x, y: values[row] ?? null })),
        }))
    return Object.fromEntries(labels.map((label) => [label, groupsOf(label)]))
  },
}
