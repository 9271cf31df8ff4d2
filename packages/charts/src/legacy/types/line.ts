import type { Frame } from '@parquetry/frame'
import { labelOfMetric } from '@parquetry/model/labels'
import { message } from '@parquetry/model/message'
import type { ChartForm } from '../../define.ts'
import { columnsOf, listOf, metricLabels, metricsOf, needed, ownOf, ranked, refused, sum } from '../read.ts'
import { type Laying, type Line, linesOf, type OverTime, overTime, rolled, shares } from '../series.ts'
import type { RowsType } from '../type.ts'

interface Family extends Pick<Laying, 'fill'> {
  /** The largest series come first, instead of an order by name. */
  bySize?: boolean
}

/** Offsets as the planner reads them: the old forms say `1 week` for what is now `1 week ago`. */
const offsetsOf = (form: ChartForm): { asked: string; said: string }[] =>
  listOf(form.time_compare).map((offset) => {
    const said = String(offset).trim()
    return { said: `${said} offset`, asked: /^\d+ \w+$/.test(said) ? `${said} ago` : said }
  })

const bySum = (over: OverTime): OverTime => ({
  ...over,
  series: over.series.toSorted((a, b) => sum(b.values) - sum(a.values)),
})

function processed(frame: Frame, form: ChartForm, metrics: readonly string[], { bySize, fill }: Family): OverTime {
  const over = overTime(frame, form, metrics, fill === undefined ? {} : { fill })
  const moved = rolled(bySize ? bySum(over) : over, form)
  return form.contribution ? shares(moved) : moved
}

const comparisons: Record<string, (now: number, then: number) => number> = {
  absolute: (now, then) => now - then,
  difference: (now, then) => now - then,
  percentage: (now, then) => (now - then) / then,
  ratio: (now, then) => now / then,
}

/** What the series are to their earlier values, from the first time that has any to the last. */
function compared(
  { times, series }: OverTime,
  earlier: OverTime,
  compare: (now: number, then: number) => number,
): OverTime {
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

const keyParts = ({ key }: Line): string[] => (typeof key === 'string' ? [...key] : key)

function byKey(one: Line, other: Line): number {
  const [left, right] = [keyParts(one), keyParts(other)]
  const at = left.findIndex((part, place) => part !== right[place])
  if (at < 0) return left.length - right.length
  return right[at] === undefined || left[at]! > right[at] ? 1 : -1
}

/** Lines of a form's metrics, with those of an earlier time beside them. */
export function lines(frame: Frame, form: ChartForm, family: Family = {}): (Line & { classed?: string })[] {
  const metrics = metricLabels(metricsOf(form, 'metrics'))
  const isSingle = metrics.length === 1
  const now = processed(frame, form, metrics, family)
  const compare = ownOf(comparisons, form.comparison_type)
  const earlier = offsetsOf(form).flatMap(({ asked, said }, at) => {
    const names = new Map(metrics.map((metric) => [`${metric}__${asked}`, metric]))
    const then = processed(frame, form, [...names.keys()], family)
    const renamed = { ...then, series: then.series.map((one) => ({ ...one, metric: names.get(one.metric)! })) }
    return linesOf(compare ? compared(now, renamed, compare) : renamed, isSingle).map((line) => ({
      ...line,
      key: [line.key, said].flat(),
      classed: `time-shift-${at}`,
    }))
  })
  const all = [...(compare && earlier.length > 0 ? [] : linesOf(now, isSingle)), ...earlier]
  return family.bySize ? all : all.toSorted(byKey)
}

/** The types that are lines, areas or bars of metrics over time. */
export const seriesType = (family: Family = {}): RowsType => ({
  query(form, { from, to }) {
    const metrics = [
      ...needed(metricsOf(form, 'metrics'), message('errors.legacy.metricsNeeded', 'Pick at least one metric')),
    ]
    const offsets = offsetsOf(form).map(({ asked }) => asked)
    if (offsets.length > 0 && (from === null || to === null))
      throw refused(
        message(
          'errors.legacy.enclosedRange',
          'An enclosed time range (both start and end) must be specified when using a Time Comparison.',
        ),
      )
    const [by = metrics[0]!] = metricsOf(form, 'timeseries_limit_metric')
    return {
      columns: columnsOf(form, 'groupby'),
      metrics,
      is_timeseries: true,
      orderby: [[by, !form.order_desc]],
      series_columns: columnsOf(form, 'groupby'),
      ...(offsets.length > 0 && { time_offsets: offsets }),
    }
  },
  data: (frame, form) => lines(frame, form, family),
})

/** One metric on each of two axes. */
export const dualLine: RowsType = {
  query(form) {
    const [left] = needed(
      metricsOf(form, 'metric'),
      message('errors.legacy.leftMetric', 'Choose a metric for the left axis'),
    )
    const [right] = needed(
      metricsOf(form, 'metric_2'),
      message('errors.legacy.rightMetric', 'Choose a metric for the right axis'),
    )
    if (labelOfMetric(left!) === labelOfMetric(right!))
      throw refused(message('errors.legacy.sameMetric', 'Choose a different metric for each axis'))
    return { columns: [], metrics: [left!, right!], is_timeseries: true }
  },
  data(frame, form) {
    const labels = metricLabels(metricsOf(form, 'metric', 'metric_2'))
    const { times, series } = rolled(overTime(frame, form, labels, { groups: [] }), form)
    return labels.flatMap((label, at) => {
      const found = series.find(({ metric }) => metric === label)
      const values = found && times.map((x, row) => ({ x, y: found.values[row] ?? null }))
      return values ? [{ key: label, classed: '', values, yAxis: at + 1, type: 'line' }] : []
    })
  },
}

/** Lines as the parts of a rose: by time, in nanoseconds. */
export const rose: RowsType = {
  ...seriesType(),
  data(frame, form) {
    const parts = new Map<string, object[]>()
    for (const { key, values } of lines(frame, form))
      for (const { x, y } of values) {
        const at = `${x}000000`
        parts.set(at, [...(parts.get(at) ?? []), { key, value: y ?? 0, name: key, time: x }])
      }
    return Object.fromEntries(parts)
  },
}

/** Pairs of measurements for each metric: by group, or of all. */
export const pairedTtest: RowsType = {
  query: (form) => ({
    columns: columnsOf(form, 'groupby'),
    metrics: [
      ...needed(metricsOf(form, 'metrics'), message('errors.legacy.metricsNeeded', 'Pick at least one metric')),
    ],
    is_timeseries: true,
    ...(form.timeseries_limit_metric ? { orderby: ranked(form, [], false) } : {}),
  }),
  data(frame, form) {
    const labels = metricLabels(metricsOf(form, 'metrics'))
    const { times, series } = overTime(frame, form, labels)
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
