import { labelOfColumn, labelOfMetric, type QueryObject } from '@parquetry/model'

/**
 * What the columns of an answer are called: verbose names for what was asked by name. A column that a series gave its name to
 * keeps it, though the dataset may have a metric or a column that is called the same.
 */
export function headingsOf(
  queries: readonly Pick<QueryObject, 'columns' | 'metrics'>[],
  verbose: Record<string, string>,
): (name: string) => string {
  const asked = new Set(
    queries.flatMap(({ columns, metrics }) => [
      ...(columns ?? []).map(labelOfColumn),
      ...(metrics ?? []).map(labelOfMetric),
    ]),
  )
  return (name) => (asked.has(name) && verbose[name]) || name
}
