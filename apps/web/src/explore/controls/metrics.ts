import {
  aggregates,
  labelOfMetric,
  labelOfStatistic,
  listStatistics,
  readStatisticSql,
  resolveDisplayName,
  statisticSql,
  type AdhocMetric,
  type ColumnStatistic,
  type QueryMetric,
} from '@parquetry/model'
import type { Translate } from '@parquetry/ui'
import { identifierQuote } from '../../shared/sql-field/identifier-quote.ts'
import type { ExploreDataset } from '../use-explore.ts'

/** Text of a metric's pill, as charts show the metric. */
export const metricDisplayName = (metric: QueryMetric, dataset: ExploreDataset, t: Translate): string =>
  resolveDisplayName(labelOfMetric(metric), dataset.verbose_map, t)

/** True if the dataset still has the parts of a metric (the ledger's "might be incompatible"). */
export function isMetricInDataset(metric: QueryMetric, dataset: ExploreDataset): boolean {
  if (typeof metric === 'string') return dataset.metrics.some(({ metric_name }) => metric_name === metric)
  const column = metric.column?.column_name
  return metric.expressionType === 'SQL' || dataset.columns.some(({ column_name }) => column_name === column)
}

/** True if the dataset allows only saved metrics. Invalid JSON counts as no restriction. */
export function forbidsAdhoc({ extra }: Pick<ExploreDataset, 'extra'>): boolean {
  try {
    return (JSON.parse(extra || '{}') as { disallow_adhoc_metrics?: unknown } | null)?.disallow_adhoc_metrics === true
  } catch {
    return false
  }
}

export type MetricKind = 'saved' | 'simple' | 'sql'
export const classifyMetric = (metric: QueryMetric | null, dataset: StatisticsSource): MetricKind =>
  metric === null || typeof metric === 'string'
    ? 'saved'
    : metric.expressionType === 'SQL' && !readStatistic(metric, dataset)
      ? 'sql'
      : 'simple'

type StatisticsSource = Pick<ExploreDataset, 'columns' | 'database'>
type NamedColumn = Pick<ExploreDataset['columns'][number], 'column_name' | 'expression'>

/** SQL of a column in an expression of the dataset. */
function columnSql({ column_name, expression }: NamedColumn, { database }: StatisticsSource): string {
  if (expression) return `(${expression})`
  const quote = identifierQuote(database?.backend)
  return quote + column_name.replaceAll(quote, quote + quote) + quote
}

/** Aggregates of the Simple tab that stand for a statistic; `PERCENTILE` asks for the percent. */
const percentiles = ['P90', 'P95', 'P99']

/** Statistics that the engine of the dataset computes, as they are offered. */
export const listStatisticOptions = ({ database }: Pick<ExploreDataset, 'database'>): string[] =>
  listStatistics(database?.backend).flatMap((each) => (each === 'PERCENTILE' ? [...percentiles, each] : each))

/** Statistic that an option stands for; null for an aggregate of the API, or without a valid percent. */
export function toStatistic(option: string, percent: number | null): ColumnStatistic | null {
  if (percentiles.includes(option)) return { statistic: 'PERCENTILE', percent: Number(option.slice(1)) }
  if (option === 'PERCENTILE') return percent === null ? null : { statistic: option, percent }
  return option === 'MEDIAN' || option === 'STDDEV' || option === 'VARIANCE' ? { statistic: option, percent: 50 } : null
}

/** Option that stands for a statistic. */
export function optionOfStatistic({ statistic, percent }: ColumnStatistic): string {
  const own = `P${percent}`
  return statistic === 'PERCENTILE' && percentiles.includes(own) ? own : statistic
}

/** A statistic of a column as a SQL metric, which other tools run. Null where the engine does not compute it. */
export function statisticMetric(
  column: NamedColumn,
  statistic: ColumnStatistic,
  dataset: StatisticsSource,
  before?: AdhocMetric,
): AdhocMetric | null {
  const sql = statisticSql(dataset.database?.backend, columnSql(column, dataset), statistic)
  return sql === null ? null : namedMetric(sqlMetric(sql, before), defaultLabelOf(column, statistic))
}

const defaultLabelOf = ({ column_name }: NamedColumn, statistic: ColumnStatistic): string =>
  truncateLabel(labelOfStatistic(statistic, column_name))

/** Reads a metric that `statisticMetric` made, and whether the user named it; null for others. */
export function readStatistic(
  { expressionType, sqlExpression, label }: AdhocMetric,
  dataset: StatisticsSource,
): { column: string; statistic: ColumnStatistic; isNamed: boolean } | null {
  if (expressionType !== 'SQL' || !sqlExpression) return null
  for (const column of dataset.columns) {
    const statistic = readStatisticSql(dataset.database?.backend, columnSql(column, dataset), sqlExpression)
    if (statistic)
      return { column: column.column_name, statistic, isNamed: label !== defaultLabelOf(column, statistic) }
  }
  return null
}

const newOptionName = (): string => `metric_${crypto.randomUUID().slice(0, 12)}`

/** A simple metric as written by other tools. The label follows column and aggregate until the user renames it. */
export const simpleMetric = (
  column: { column_name: string; type: string | null },
  aggregate: string,
  before?: AdhocMetric,
): AdhocMetric => ({
  ...before,
  expressionType: 'SIMPLE',
  column: { column_name: column.column_name, type: column.type },
  aggregate,
  sqlExpression: null,
  label: before?.hasCustomLabel && before.label ? before.label : truncateLabel(`${aggregate}(${column.column_name})`),
  hasCustomLabel: before?.hasCustomLabel ?? false,
  optionName: before?.optionName ?? newOptionName(),
})

/** CONST-021: default label of an expression. */
export const truncateLabel = (text: string): string => (text.length > 43 ? `${text.slice(0, 40)}...` : text)

export const sqlMetric = (sqlExpression: string, before?: AdhocMetric): AdhocMetric => ({
  ...before,
  expressionType: 'SQL',
  sqlExpression,
  column: null,
  aggregate: null,
  label: before?.hasCustomLabel && before.label ? before.label : truncateLabel(sqlExpression),
  hasCustomLabel: before?.hasCustomLabel ?? false,
  optionName: before?.optionName ?? newOptionName(),
})

export const namedMetric = (metric: AdhocMetric, label: string): AdhocMetric => ({
  ...metric,
  label,
  hasCustomLabel: true,
})

/** Aggregates for a column type: all for numbers, and those without arithmetic for others. */
export const aggregatesFor = (type: number | null): readonly string[] =>
  type === 0 || type === null ? aggregates : ['COUNT', 'COUNT_DISTINCT', 'MAX', 'MIN']

/** CTRL-050: an aggregate of a column as typed by users, or as written by older releases with a numeric type as prefix. */
const aggregateText = /^(?:LONG|DOUBLE|FLOAT)?(SUM|AVG|MAX|MIN|COUNT)\(\s*"?([^"()]+?)"?\s*\)$/i

/**
 * Parses a metric: a saved one, an aggregate of a column, or a column name, which gets its default aggregate. Undefined if the
 * text is none of these.
 */
export function parseMetric(text: string, { columns, metrics }: ExploreDataset): QueryMetric | undefined {
  const saved = metrics.find(({ metric_name, verbose_name }) => metric_name === text || verbose_name === text)
  if (saved) return saved.metric_name
  const named = (name: string) =>
    columns.find(({ column_name, verbose_name }) => column_name === name || verbose_name === name)
  const [, aggregate = '', name = ''] = aggregateText.exec(text) ?? []
  const column = named(name)
  if (column) return simpleMetric(column, aggregate.toUpperCase())
  const alone = named(text)
  return alone && simpleMetric(alone, alone.type_generic === 0 ? 'SUM' : 'COUNT_DISTINCT')
}
