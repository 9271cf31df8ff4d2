import { nullText } from '@parquetry/charts'
import { labelOfColumn, labelOfMetric, resolveDisplayName, type QueryObject } from '@parquetry/model'
import type { Translate } from '@parquetry/ui'

/**
 * Returns the headings of result columns: verbose names for queried columns and metrics, also for the metric that starts a series
 * name. A column named after a series value keeps that name, even if the dataset has a metric or column of the same name. Null is
 * shown as everywhere else.
 */
export function createHeadingFormatter(
  queries: readonly Pick<QueryObject, 'columns' | 'metrics'>[],
  verbose: Record<string, string>,
  t: Translate,
): (name: string) => string {
  const columns = new Set(queries.flatMap((query) => (query.columns ?? []).map(labelOfColumn)))
  const metrics = new Set(queries.flatMap((query) => (query.metrics ?? []).map(labelOfMetric)))
  const displayName = (name: string): string => resolveDisplayName(name, verbose, t)
  return (name) => {
    if (columns.has(name) || metrics.has(name)) return displayName(name)
    const parts = name.split(', ').map((part) => (part === '<NULL>' ? nullText : part))
    const [first = '', ...values] = parts
    return values.length > 0 && metrics.has(first) ? [displayName(first), ...values].join(', ') : parts.join(', ')
  }
}
