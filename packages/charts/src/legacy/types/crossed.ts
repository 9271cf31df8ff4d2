import { type Cell, type Frame, textAt } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric } from '@parquetry/model/labels'
import type { QueryColumn } from '@parquetry/model'
import { message } from '@parquetry/model/message'
import type { ChartForm } from '../../define.ts'
import {
  readValues,
  requireColumn,
  listColumns,
  groupBy,
  readLevels,
  toList,
  mean,
  metricLabels,
  listMetrics,
  requireItems,
  readNumbers,
  getOwn,
  buildLegacyOrder,
  badRequest,
  sum,
  timestampColumn,
} from '../read.ts'
import { pivotByTime, formatTimes } from '../series.ts'
import type { RowsType } from '../type.ts'
import { renameColumns } from './rows.ts'

const nullText = '<NULL>'

/** Bars by category, with one series per metric and breakdown. */
export const distBar: RowsType = {
  query(form) {
    const columns = listColumns(form, 'groupby', 'columns')
    if (columns.length < toList(form.groupby).length + toList(form.columns).length)
      throw badRequest(
        message('errors.legacy.seriesOrBreakdown', 'A column can be a series or a breakdown, but not both'),
      )
    const metrics = [
      ...requireItems(listMetrics(form, 'metrics'), message('errors.legacy.metricsNeeded', 'Pick at least one metric')),
    ]
    requireItems(listColumns(form, 'groupby'), message('errors.legacy.barsNeeded', 'Choose a column for the bars'))
    return { columns, metrics, orderby: buildLegacyOrder(form, metrics, false) }
  },
  data(frame, form) {
    const metrics = metricLabels(listMetrics(form, 'metrics'))
    const textsOf = (name: string) => {
      const columns = listColumns(form, name).map((column) => requireColumn(frame, labelOfColumn(column)))
      return Array.from({ length: frame.rows }, (_, row) => columns.map((column) => textAt(column, row) ?? nullText))
    }
    const [categories, breakdowns] = [textsOf('groupby'), textsOf('columns')]
    const rows = Array.from({ length: frame.rows }, (_, row) => row)
    const byCategory = [...groupBy(rows, (row) => JSON.stringify(categories[row])).values()]
    const byBreakdown = [...groupBy(rows, (row) => JSON.stringify(breakdowns[row])).values()]
    const first = readNumbers(frame, metrics[0]!)
    const total = (members: number[]) => sum(members.map((row) => first[row] ?? null))
    const isLargestFirst = form.order_desc === true
    const x = byCategory.toSorted((a, b) => (isLargestFirst ? total(b) - total(a) : total(a) - total(b)))
    const order = createBreakdownOrder(form, frame)
    const across = byBreakdown.toSorted(([a], [b]) => order(a!, b!))
    const series = metrics.flatMap((metric) => {
      const numbers = readNumbers(frame, metric)
      return across.map((members) => {
        const inside = new Set(members)
        return {
          name: [...(metrics.length > 1 || breakdowns[0]?.length === 0 ? [metric] : []), ...breakdowns[members[0]!]!],
          values: x.map((category) =>
            mean(category.filter((row) => inside.has(row)).map((row) => numbers[row] ?? null)),
          ),
        }
      })
    })
    const totals = x.map((_, index) => sum(series.map(({ values }) => values[index] ?? null)))
    const shown = (value: number | null, index: number) =>
      value === null || !form.contribution ? value : totals[index] === 0 ? null : value / totals[index]!
    return series
      .filter(({ values }) => values.some((value) => value !== null))
      .map(({ name, values }) => ({
        key: name.join(', '),
        values: values.map((value, index) => ({ x: categories[x[index]![0]!]!.join(', '), y: shown(value, index) })),
      }))
  },
}

/** Orders rows by their breakdowns: numbers by size, texts alphabetically, nulls as their text. */
function createBreakdownOrder(form: ChartForm, frame: Frame): (one: number, other: number) => number {
  const columns = listColumns(form, 'columns').map((column) => readValues(frame, labelOfColumn(column)))
  return (one, other) => {
    for (const cells of columns) {
      const [left, right] = [cells[one] ?? nullText, cells[other] ?? nullText]
      if (left === right) continue
      if (typeof left === typeof right) return left < right ? -1 : 1
      return typeof left === 'string' ? 1 : -1
    }
    return 0
  }
}

export const timeTable: RowsType = {
  query(form) {
    const metrics = [
      ...requireItems(listMetrics(form, 'metrics'), message('errors.legacy.metricsNeeded', 'Pick at least one metric')),
    ]
    const columns = listColumns(form, 'groupby')
    if (columns.length > 0 && metrics.length > 1)
      throw badRequest(
        message('errors.legacy.oneMetricWithGroups', 'Choose only one metric when you group by a column'),
      )
    return { columns, metrics, is_timeseries: true, orderby: buildLegacyOrder(form, metrics, false) }
  },
  data(frame, form) {
    const labels = metricLabels(listMetrics(form, 'metrics'))
    const groups = listColumns(form, 'groupby')
    const { times, series } = pivotByTime(frame, form, labels)
    const texts = new Map(readValues(frame, timestampColumn).map((time, row) => [time, row]))
    const written = formatTimes(frame)
    const columns = series.map(({ metric, group }) => (groups.length > 0 ? group.join(', ') : metric))
    const records = times.map((time, row) => [
      written[texts.get(time)!] ?? String(time),
      Object.fromEntries(columns.map((name, index) => [name, series[index]!.values[row] ?? null])),
    ])
    return { records: Object.fromEntries(records) as object, columns, is_group_by: groups.length > 0 }
  },
}

/** One cell per pair, with its position between minimum and maximum and its rank, among all cells or along one axis. */
export const heatmap: RowsType = {
  query: (form) => ({
    columns: listColumns(form, 'all_columns_x', 'all_columns_y'),
    metrics: [...requireItems(listMetrics(form, 'metric'), message('errors.legacy.metricNeeded', 'Choose a metric'))],
  }),
  data(frame, form) {
    const [x, y = x] = listColumns(form, 'all_columns_x', 'all_columns_y').map(labelOfColumn)
    const [metric = ''] = metricLabels(listMetrics(form, 'metric'))
    const [xs, ys, vs] = [readValues(frame, x!), readValues(frame, y!), readNumbers(frame, metric)]
    const rows = vs.map((_, row) => row)
    const side = form.normalize_across === 'x' ? xs : form.normalize_across === 'y' ? ys : null
    const groups = side ? [...groupBy(rows, (row) => side[row]).values()] : [rows]
    const cells = new Map(
      (groups.length > 1 ? groups : [rows]).flatMap((members) =>
        rankValues(members.map((row) => vs[row] ?? null)).map((place, index) => [members[index]!, place] as const),
      ),
    )
    const numbers = vs.filter((value) => value !== null)
    return {
      records: rows.map((row) => ({ x: xs[row], y: ys[row], v: vs[row], ...cells.get(row) })),
      extents: numbers.length > 0 ? [smallest(numbers), largest(numbers)] : [null, null],
    }
  },
}

const smallest = (values: readonly number[]): number => values.reduce((least, value) => Math.min(least, value))
const largest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value))

/** Position of each value between minimum and maximum, and its rank as a fraction of all; equal values share their mean rank. */
function rankValues(values: readonly (number | null)[]): { perc: number | null; rank: number | null }[] {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  const [low = 0, high = 0] = [sorted[0], sorted.at(-1)]
  const ranks = new Map<number, number>()
  for (let index = 0; index < sorted.length;) {
    let end = index
    while (sorted[end] === sorted[index]) end++
    ranks.set(sorted[index]!, (index + 1 + end) / 2)
    index = end
  }
  return values.map((value) => ({
    perc: value === null || high === low ? null : (value - low) / (high - low),
    rank: value === null ? null : ranks.get(value)! / sorted.length,
  }))
}

/** Flows between nodes; the rows of the matrix are targets, its columns are sources. */
export const chord: RowsType = {
  query: (form) => ({
    columns: listColumns(form, 'groupby', 'columns'),
    metrics: [...requireItems(listMetrics(form, 'metric'), message('errors.legacy.metricNeeded', 'Choose a metric'))],
    ...(form.sort_by_metric === true && { orderby: buildLegacyOrder(form, listMetrics(form, 'metric'), false) }),
  }),
  data(frame, form) {
    const { sources, targets, values } = readFlows(frame, form, ['groupby', 'columns'])
    const nodes = [...new Set([...sources, ...targets])]
    const placeOf = new Map(nodes.map((node, index) => [node, index]))
    const matrix = nodes.map(() => nodes.map((): Cell => 0))
    values.forEach((value, row) => {
      matrix[placeOf.get(targets[row]!)!]![placeOf.get(sources[row]!)!] = value
    })
    return { nodes, matrix }
  },
  colnames: renameColumns('source', 'target', 'value'),
}

function readFlows(frame: Frame, form: ChartForm, names: string[]) {
  const [source, target = source] = listColumns(form, ...names).map(labelOfColumn)
  const [value = ''] = metricLabels(listMetrics(form, 'metric'))
  return { sources: readValues(frame, source!), targets: readValues(frame, target!), values: readValues(frame, value) }
}

export const sankey: RowsType = {
  query(form) {
    const columns = listColumns(form, 'groupby')
    if (columns.length !== 2)
      throw badRequest(
        message('errors.legacy.flowColumns', 'Choose two columns: the source and the target of the flows'),
      )
    const metrics = [
      ...requireItems(listMetrics(form, 'metric'), message('errors.legacy.metricNeeded', 'Choose a metric')),
    ]
    return {
      columns,
      metrics,
      ...(form.sort_by_metric === true && { orderby: buildLegacyOrder(form, metrics, false) }),
    }
  },
  data(frame, form) {
    const { sources, targets, values } = readFlows(frame, form, ['groupby'])
    const text = (value: Cell | undefined) => (value === null || value === undefined ? 'None' : String(value))
    const links = values.map((value, row) => ({ source: text(sources[row]), target: text(targets[row]), value }))
    const loop = findLoop(links)
    if (loop)
      throw badRequest(
        message(
          'errors.legacy.flowLoop',
          'The flows form a loop from {source} to {target}. A Sankey chart cannot show loops.',
          { source: loop[0], target: loop[1] },
        ),
      )
    return links
  },
  colnames: renameColumns('source', 'target', 'value'),
}

/** Returns a link that closes a loop; null without one. */
function findLoop(links: readonly { source: string; target: string }[]): [string, string] | null {
  const from = groupBy(links, ({ source }) => source)
  const done = new Set<string>()
  for (const start of from.keys()) {
    // Uses an explicit stack: a chain may be longer than the call stack allows.
    const path: { node: string; next: number }[] = [{ node: start, next: 0 }]
    const on = new Set([start])
    while (path.length > 0) {
      const here = path.at(-1)!
      const link = done.has(here.node) ? undefined : from.get(here.node)?.[here.next++]
      if (!link) {
        done.add(here.node)
        on.delete(here.node)
        path.pop()
      } else if (on.has(link.target)) return [link.source, link.target]
      else {
        on.add(link.target)
        path.push({ node: link.target, next: 0 })
      }
    }
  }
  return null
}

export const sunburst: RowsType = {
  query: (form) => ({
    columns: listColumns(form, 'groupby'),
    metrics: [
      ...requireItems(
        listMetrics(form, 'metric', 'secondary_metric'),
        message('errors.legacy.metricNeeded', 'Choose a metric'),
      ),
    ],
    ...(form.sort_by_metric === true && { orderby: buildLegacyOrder(form, listMetrics(form, 'metric'), false) }),
  }),
  data(frame, form) {
    const levels = listColumns(form, 'groupby').map((column) => readValues(frame, labelOfColumn(column)))
    const [first = '', second = first] = metricLabels(listMetrics(form, 'metric', 'secondary_metric'))
    const columns = [...levels, readValues(frame, first), readValues(frame, second)]
    return Array.from({ length: frame.rows }, (_, row) => columns.map((cells) => cells[row] ?? null))
  },
  colnames: (_, form) => [...listColumns(form, 'groupby').map(labelOfColumn), 'm1', 'm2'],
}

interface Leaf {
  name: Cell
  value?: Cell
  children?: Leaf[]
}

/** Nested parts, once for each metric. */
export const treemap: RowsType = {
  query: (form) => ({
    columns: readLevels(form),
    metrics: [
      ...requireItems(listMetrics(form, 'metrics'), message('errors.legacy.metricsNeeded', 'Pick at least one metric')),
    ],
  }),
  data(frame, form) {
    const levels = listColumns(form, 'groupby').map((column) => readValues(frame, labelOfColumn(column)))
    const nest = (rows: readonly number[], level: number, values: readonly Cell[]): Leaf[] => {
      const names = levels[level]!
      if (level === levels.length - 1)
        return rows.map((row) => ({ name: names[row] ?? null, value: values[row] ?? null }))
      return [...groupBy(rows, (row) => names[row] ?? null)]
        .toSorted(([a], [b]) => compareNames(a, b))
        .map(([name, inside]) => ({ name, children: nest(inside, level + 1, values) }))
    }
    const rows = Array.from({ length: frame.rows }, (_, row) => row)
    return metricLabels(listMetrics(form, 'metrics')).map((name) => ({
      name,
      children: nest(rows, 0, readValues(frame, name)),
    }))
  },
}

/** Sorts nulls last. */
function compareNames(one: Cell, other: Cell): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  return one < other ? -1 : 1
}

const domains: Record<string, string> = {
  min: 'PT1M',
  hour: 'PT1H',
  day: 'P1D',
  week: 'P1W',
  month: 'P1M',
  year: 'P1Y',
}

export const calHeatmap: RowsType = {
  query(form, { from, to }) {
    const metrics = [
      ...requireItems(
        listMetrics(form, 'metrics', 'metric'),
        message('errors.legacy.metricsNeeded', 'Pick at least one metric'),
      ),
    ]
    if (from === null || to === null)
      throw badRequest(message('errors.legacy.timeBounds', 'Please provide both time bounds (Since and Until)'))
    const grain = getOwn(domains, form.subdomain_granularity ?? 'min')
    return { columns: [], metrics, is_timeseries: true, ...(grain && { extras: { time_grain_sqla: grain } }) }
  },
  data(frame, form, { from, to }) {
    const seconds = readValues(frame, timestampColumn).map((time) => String(Number(time) / 1000))
    const data = metricLabels(listMetrics(form, 'metrics', 'metric')).map((label) => {
      const values = readValues(frame, label)
      return [label, Object.fromEntries(seconds.map((second, row) => [second, values[row] ?? null]))] as const
    })
    const domain = String(form.domain_granularity ?? 'hour')
    return {
      data: Object.fromEntries(data),
      start: from,
      domain,
      subdomain: form.subdomain_granularity ?? null,
      range: countDomains(domain, from ?? 0, to ?? 0),
    }
  },
}

/** Milliseconds of domains of fixed length. */
const lengths: Record<string, number> = { week: 7 * 86_400_000, day: 86_400_000 }

/** Number of domains to draw. */
function countDomains(domain: string, from: number, to: number): number {
  const [start, end] = [new Date(from), new Date(to)]
  if (domain === 'year') return end.getUTCFullYear() - start.getUTCFullYear() + 1
  if (domain === 'month') return wholeMonths(start, end) + 1
  return Math.floor((to - from) / (getOwn(lengths, domain) ?? 3_600_000)) + 1
}

function wholeMonths(start: Date, end: Date): number {
  const months = (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth()
  const rest = (date: Date) => date.getTime() - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  return rest(end) < rest(start) ? months - 1 : months
}

export const countryMap: RowsType = {
  query: (form) => ({
    columns: [
      ...requireItems(
        listColumns(form, 'entity'),
        message('errors.legacy.regionsNeeded', 'Choose the column with the regions'),
      ),
    ],
    metrics: [...requireItems(listMetrics(form, 'metric'), message('errors.legacy.metricNeeded', 'Choose a metric'))],
  }),
  data(frame, form) {
    const ids = readValues(frame, labelOfColumn(listColumns(form, 'entity')[0] as QueryColumn))
    const values = readValues(frame, labelOfMetric(listMetrics(form, 'metric')[0]!))
    return ids.map((country_id, row) => ({ country_id, metric: values[row] ?? null }))
  },
}
