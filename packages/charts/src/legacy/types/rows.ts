import type { Cell, Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric } from '@parquetry/model/labels'
import { message } from '@parquetry/model/message'
import type { ChartForm } from '../../define.ts'
import { readOrder } from '../../query/base-query.ts'
import {
  readValues,
  listColumns,
  groupBy,
  metricLabels,
  listMetrics,
  requireItems,
  readNumbers,
  buildLegacyOrder,
  badRequest,
  toRecords,
  sum,
  timestampColumn,
} from '../read.ts'
import { pivotByTime, applyRollingWindow } from '../series.ts'
import type { RowsType } from '../type.ts'

const isTimed = (form: ChartForm): boolean => form.include_time === true && Boolean(form.granularity_sqla)

export const table: RowsType = {
  query(form) {
    const columns = listColumns(form, 'groupby')
    const metrics = listMetrics(form, 'metrics', 'percent_metrics')
    const raw = listColumns(form, 'all_columns')
    if (raw.length > 0 && (columns.length > 0 || metrics.length > 0))
      throw badRequest(
        message(
          'errors.legacy.listedOrGrouped',
          'Choose either columns to list or columns to group by with metrics, not both',
        ),
      )
    if (raw.length > 0) return { columns: raw, metrics: [], orderby: readOrder(form.order_by_cols) }
    return { columns, metrics, orderby: buildLegacyOrder(form, metrics, false), is_timeseries: isTimed(form) }
  },
  data(frame, form) {
    const shares = metricLabels(listMetrics(form, 'percent_metrics')).map((label) => {
      const values = readNumbers(frame, label)
      const total = sum(values)
      return [`%${label}`, values.map((value) => (value === null || total === 0 ? null : value / total))] as const
    })
    const metrics = new Set(metricLabels(listMetrics(form, 'metrics')))
    const onlyShared = new Set(
      metricLabels(listMetrics(form, 'percent_metrics')).filter((label) => !metrics.has(label)),
    )
    const columns = frame.columns.map(({ name }) => name).filter((name) => !onlyShared.has(name))
    const records = toRecords(frame).map((row, index) =>
      Object.fromEntries([
        ...columns.map((name) => [name, row[name] ?? null] as const),
        ...shares.map(([name, values]) => [name, values[index] ?? null] as const),
      ]),
    )
    return { records, columns: [...columns, ...shares.map(([name]) => name)] }
  },
}

/** One number; if several rows arrive, all are returned. */
export const bigNumberTotal: RowsType = {
  query: (form) => ({
    columns: [],
    metrics: [...requireItems(listMetrics(form, 'metric'), message('errors.legacy.metricNeeded', 'Choose a metric'))],
  }),
  data: (frame) => toRecords(frame),
}

export const bigNumber: RowsType = {
  query: (form) => ({
    columns: [],
    metrics: [...requireItems(listMetrics(form, 'metric'), message('errors.legacy.metricNeeded', 'Choose a metric'))],
    is_timeseries: true,
  }),
  data(frame, form) {
    const [label = ''] = metricLabels(listMetrics(form, 'metric'))
    const { times, series } = applyRollingWindow(pivotByTime(frame, form, [label], { groups: [] }), form)
    return times.map((time, row) => ({ [label]: series[0]?.values[row] ?? null, [timestampColumn]: time }))
  },
}

export const bullet: RowsType = {
  query: (form) => ({
    columns: [],
    metrics: [...requireItems(listMetrics(form, 'metric'), message('errors.legacy.metricNeeded', 'Choose a metric'))],
  }),
  data: (frame, form) => ({
    measures: metricLabels(listMetrics(form, 'metric')).flatMap((name) => readValues(frame, name)),
  }),
}

export const para: RowsType = {
  query: (form) => ({
    columns: listColumns(form, 'series'),
    metrics: [
      ...requireItems(
        listMetrics(form, 'metrics', 'secondary_metric'),
        message('errors.legacy.metricsNeeded', 'Pick at least one metric'),
      ),
    ],
  }),
  data: (frame) => toRecords(frame),
}

export const eventFlow: RowsType = {
  query(form) {
    const entity = listColumns(form, 'entity')
    const [by] = requireItems(
      entity,
      message('errors.legacy.entityNeeded', 'Choose the column that identifies the entity of each event'),
    )
    return {
      columns: listColumns(form, 'all_columns_x', 'entity', 'all_columns'),
      metrics: null,
      is_timeseries: true,
      ...(form.order_by_entity ? { orderby: [[by!, true]] } : {}),
    }
  },
  data: (frame) => toRecords(frame),
}

/** Circles by series; without a series setting, by entity. */
export const bubble: RowsType = {
  query(form) {
    const metrics = listMetrics(form, 'size', 'x', 'y')
    if (['size', 'x', 'y'].some((name) => !form[name]))
      throw badRequest(message('errors.legacy.bubbleMetrics', 'Choose a metric for x, y, and size'))
    if (metrics.length < 3)
      throw badRequest(
        message('errors.legacy.bubbleLabels', 'The metrics for x, y, and size must have different labels'),
      )
    return {
      columns: listColumns(form, 'entity', 'series'),
      metrics,
      row_limit: Number(form.limit) || 0,
      ...(form.timeseries_limit_metric ? { orderby: buildLegacyOrder(form, [], false) } : {}),
    }
  },
  data(frame, form) {
    const [entity, series = entity] = listColumns(form, 'entity', 'series').map(labelOfColumn)
    const [size, x, y] = metricLabels(listMetrics(form, 'size', 'x', 'y'))
    const rows = toRecords(frame).map((row) => ({
      ...row,
      x: row[x!] ?? null,
      y: row[y!] ?? null,
      size: row[size!] ?? null,
      shape: 'circle',
      group: row[series!] ?? null,
    }))
    return [...groupBy(rows, ({ group }) => group)].map(([key, values]) => ({ key, values }))
  },
  colnames: (frame) => [...new Set([...frame.columns.map(({ name }) => name), 'x', 'y', 'size', 'shape', 'group'])],
}

/** Raw values of numeric columns, by group; the client computes the bins. */
export const histogram: RowsType = {
  query(form) {
    const columns = requireItems(
      listColumns(form, 'all_columns_x'),
      message('errors.legacy.numbersNeeded', 'Choose a numeric column'),
    )
    return { columns: [...columns, ...listColumns(form, 'groupby')], metrics: null }
  },
  data(frame, form) {
    const columns = listColumns(form, 'all_columns_x').map(labelOfColumn)
    const groups = listColumns(form, 'groupby').map((column) => readValues(frame, labelOfColumn(column)))
    const rows = Array.from({ length: frame.rows }, (_, row) => row).filter((row) =>
      groups.every((cells) => cells[row] !== null),
    )
    const keyOf = (row: number) => groups.map((cells) => cells[row]!)
    const members = [...groupBy(rows, (row) => JSON.stringify(keyOf(row).map(String))).values()]
    const values = new Map(columns.map((name) => [name, readNumbers(frame, name)]))
    const named = (name: string, key: Cell[]) =>
      [...(columns.length > 1 || groups.length === 0 ? [name] : []), ...key.map(toSlug)].join('__')
    return members
      .toSorted(([one], [other]) => compareKeys(keyOf(one!), keyOf(other!)))
      .flatMap((group) =>
        columns.map((name) => ({
          key: named(name, keyOf(group[0]!)),
          values: group.map((row) => values.get(name)?.[row] ?? null),
        })),
      )
  },
}

const toSlug = (value: Cell): string => String(value).replaceAll(/[^\p{L}\p{N}_]+/gu, '_')

export function compareKeys(one: readonly Cell[], other: readonly Cell[]): number {
  const index = one.findIndex((value, place) => value !== other[place])
  return index < 0 ? 0 : one[index]! < other[index]! ? -1 : 1
}

/** Options of a filter with their counts; each query of the box is one filter. */
export const filterBox: RowsType = {
  query(form) {
    const [config] = readFilterConfigs(form)
    const metrics = config?.metric ? listMetrics(config as ChartForm, 'metric') : []
    const [by] = metrics
    return {
      columns: config ? listColumns(config as ChartForm, 'column') : [],
      metrics,
      row_limit: 1000,
      ...(by !== undefined && { orderby: [[by, config?.asc === true]] }),
    }
  },
  data(frame, form) {
    const [{ column, metric = null } = {}] = readFilterConfigs(form)
    const values = readValues(frame, labelOfColumn(column as string))
    const counts = metric ? readValues(frame, labelOfMetric(metric as string)) : null
    return values.map((id, row) => ({ id, text: id, ...(counts && { metric: counts[row] ?? null }) }))
  },
  subforms: (form) =>
    Object.fromEntries(
      readFilterConfigs(form).map((config) => [
        labelOfColumn(config.column as string),
        { ...form, filter_configs: [config] },
      ]),
    ),
}

interface FilterConfig {
  column?: unknown
  metric?: unknown
  asc?: unknown
}

const readFilterConfigs = ({ filter_configs }: ChartForm): FilterConfig[] =>
  (Array.isArray(filter_configs) ? (filter_configs as (FilterConfig | null)[]) : []).filter(
    (config) => config?.column !== undefined && config.column !== null,
  ) as FilterConfig[]

/** Returns the column names of a response that renames those of its rows. */
export const renameColumns =
  (...names: string[]) =>
  (frame: Frame): string[] =>
    frame.columns.map(({ name }, index) => names[index] ?? name)
