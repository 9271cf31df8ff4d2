import { toPlainText } from '@parquetry/model'

/** Returns the filters of a chart's form as text, for a printout. */
export function describeFormFilters(form: Readonly<Record<string, unknown>>): { name: string; value: string }[] {
  const filters = Array.isArray(form['adhoc_filters']) ? (form['adhoc_filters'] as Record<string, unknown>[]) : []
  return filters.flatMap((filter) => {
    if (typeof filter !== 'object' || filter === null) return []
    const { subject, operator, comparator, sqlExpression } = filter
    if (filter['expressionType'] === 'SQL')
      return typeof sqlExpression === 'string'
        ? [{ name: String(filter['clause'] ?? 'WHERE'), value: sqlExpression }]
        : []
    if (typeof subject !== 'string' || comparator === 'No filter') return []
    const value = Array.isArray(comparator) ? comparator.map(toPlainText).join(', ') : toPlainText(comparator ?? '')
    return [
      {
        name: subject,
        value: operator === 'TEMPORAL_RANGE' ? value : `${toPlainText(operator ?? '')} ${value}`.trim(),
      },
    ]
  })
}
