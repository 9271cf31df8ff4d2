import { nullText } from '@parquetry/charts'
import { labelOfColumn, labelOfMetric, type QueryObject } from '@parquetry/model'

/**
 * What the columns of an answer are called: verbose names for what was asked by name, also where a series of several metrics begins
 * with one. A column that a series gave its name to keeps it, though the dataset may have a metric or a column that is called the
 * same; what is missing reads as everywhere else.
 */
export function createHeadingFormatter(
  queries: readonly Pick<QueryObject, 'columns' | 'metrics'>[],
  verbose: Record<string, string>,
): (name: string) => string {
  const columns = new Set(queries.flatMap((query) => (query.columns ?? []).map(labelOfColumn)))
  const metrics = new Set(queries.flatMap((query) => (query.metrics ?? []).map(labelOfMetric)))
  const said = (name: string): string => verbose[name] || name
  return (name) => {
    if (columns.has(name) || metrics.has(name)) return said(name)
    const parts = name.split(', ').map((part) => (part === '<NULL>' ? nullText : part))
    const [first = '', ...values] = parts
    return values.length > 0 && metrics.has(first) ? [said(first), ...values].join(', ') : parts.join(', ')
  }
}
