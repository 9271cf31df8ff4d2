import type { PostProcessing, QueryObject } from '@parquetry/model'
import { sql } from '../sql/sql.ts'
import type { Measure } from './metrics.ts'

/** Label of the column with the sum of a metric over all rows. */
const wholeLabel = (label: string): string => `__whole__${label}`

/** Sum of a metric over all rows of the result, whether or not the row limit includes them; the same in each row. */
export const sumOfAllRows = ({ label, value }: Measure): Measure => ({
  label: wholeLabel(label),
  value: sql`SUM(${value}) OVER ()`,
  metric: null,
})

const isOfAllRecords = ({ operation, options }: PostProcessing): boolean =>
  operation === 'contribution' && options?.['whole'] === 'all_records'

const stepsOf = ({ post_processing }: QueryObject): PostProcessing[] =>
  (post_processing ?? []).filter((step) => step !== null)

const columnsOf = ({ options }: PostProcessing): string[] =>
  (Array.isArray(options?.['columns']) ? (options['columns'] as unknown[]) : []).filter(
    (label) => typeof label === 'string',
  )

/** Labels of the metrics that `contribution` steps with `whole: 'all_records'` divide by their sum over all rows. */
export const listSummedMetrics = (query: QueryObject): string[] =>
  stepsOf(query).filter(isOfAllRecords).flatMap(columnsOf)

/** Steps of a plan: those of the query, with the names of the columns that have the sums. */
export const planSteps = (query: QueryObject, wholes: readonly Measure[]): PostProcessing[] =>
  stepsOf(query).map((step) => {
    if (!isOfAllRecords(step)) return step
    const { whole: _, ...options } = step.options ?? {}
    const selected = columnsOf(step).filter((label) => wholes.some((whole) => whole.label === wholeLabel(label)))
    return {
      ...step,
      options: { ...options, wholes: Object.fromEntries(selected.map((label) => [label, wholeLabel(label)])) },
    }
  })
