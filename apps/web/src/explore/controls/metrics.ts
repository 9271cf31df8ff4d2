import { aggregates, labelOfMetric, type AdhocMetric, type QueryMetric } from '@parquetry/model'
import type { ExploreDataset } from '../use-explore.ts'

/** What the pill of a metric says: the verbose name of a saved one, else the label. */
export const wordsOfMetric = (metric: QueryMetric, dataset: ExploreDataset): string =>
  typeof metric === 'string' ? dataset.verbose_map[metric] || metric : labelOfMetric(metric)

/** Whether the dataset still has what a metric is made of (the ledger's "might be incompatible"). */
export function isMetricThere(metric: QueryMetric, dataset: ExploreDataset): boolean {
  if (typeof metric === 'string') return dataset.metrics.some(({ metric_name }) => metric_name === metric)
  const column = metric.column?.column_name
  return metric.expressionType === 'SQL' || dataset.columns.some(({ column_name }) => column_name === column)
}

export type MetricKind = 'saved' | 'simple' | 'sql'
export const kindOfMetric = (metric: QueryMetric | null): MetricKind =>
  metric === null || typeof metric === 'string' ? 'saved' : metric.expressionType === 'SQL' ? 'sql' : 'simple'

const newOptionName = (): string => `metric_${crypto.randomUUID().slice(0, 12)}`

/** A simple metric as other tools write it; the label follows column and aggregate until someone names it. */
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
  label: before?.hasCustomLabel && before.label ? before.label : `${aggregate}(${column.column_name})`,
  hasCustomLabel: before?.hasCustomLabel ?? false,
  optionName: before?.optionName ?? newOptionName(),
})

export const sqlMetric = (sqlExpression: string, before?: AdhocMetric): AdhocMetric => ({
  ...before,
  expressionType: 'SQL',
  sqlExpression,
  column: null,
  aggregate: null,
  label: before?.hasCustomLabel && before.label ? before.label : sqlExpression,
  hasCustomLabel: before?.hasCustomLabel ?? false,
  optionName: before?.optionName ?? newOptionName(),
})

export const namedMetric = (metric: AdhocMetric, label: string): AdhocMetric => ({
  ...metric,
  label,
  hasCustomLabel: true,
})

/** Aggregates that fit a column: numbers take all, other kinds those that need no sum. */
export const aggregatesFor = (type: number | null): readonly string[] =>
  type === 0 || type === null ? aggregates : ['COUNT', 'COUNT_DISTINCT', 'MAX', 'MIN']
