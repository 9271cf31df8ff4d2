import { message } from './message.ts'
import type { Translate } from './translate.ts'

/** Default labels of aggregates, `SUM(column)`. */
const defaultLabel = /^(AVG|COUNT|COUNT_DISTINCT|MAX|MIN|SUM|MEDIAN|STDDEV|VARIANCE|P(\d+(?:\.\d+)?))\((.+)\)$/s

const aggregateNames = {
  AVG: message('picture.metric.average', 'Average of {column}'),
  COUNT: message('picture.metric.count', 'Count of {column}'),
  COUNT_DISTINCT: message('picture.metric.countDistinct', 'Distinct count of {column}'),
  MAX: message('picture.metric.maximum', 'Maximum of {column}'),
  MIN: message('picture.metric.minimum', 'Minimum of {column}'),
  SUM: message('picture.metric.sum', 'Sum of {column}'),
  MEDIAN: message('picture.metric.median', 'Median of {column}'),
  STDDEV: message('picture.metric.standardDeviation', 'Standard deviation of {column}'),
  VARIANCE: message('picture.metric.variance', 'Variance of {column}'),
  P: message('picture.metric.percentile', 'P{percent} of {column}'),
}

/**
 * Returns the name under which a column or metric is shown: its verbose name; for the default label of an aggregate over a column
 * with a verbose name, the aggregate and that name (`SUM(rain)` -> "Sum of Rain (mm)"); otherwise the label itself.
 */
export function resolveDisplayName(
  label: string,
  verbose: Readonly<Record<string, string | null | undefined>>,
  say: Translate,
): string {
  const verboseOf = (name: string) => (Object.hasOwn(verbose, name) ? verbose[name] : undefined)
  const own = verboseOf(label)
  if (own) return own
  const [, aggregate, percent = '', name = ''] = defaultLabel.exec(label) ?? []
  const column = verboseOf(name)
  if (!aggregate || !column || column === name) return label
  const { id, text } = aggregateNames[percent ? 'P' : (aggregate as keyof typeof aggregateNames)]
  return say(id, text, { column, percent })
}
