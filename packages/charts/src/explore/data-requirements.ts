import { buildFieldGroups, type Field } from '../field-groups.ts'
import type { AnyChart, DatasetFacts } from '../define.ts'
import { isNonAdditiveName } from './non-additive-name.ts'

/** Number of columns of each kind that a chart requires. */
export interface DataRequirements {
  times: number
  /** Columns that are not times: dimensions. */
  columns: number
  /** Columns whose numbers can be summed. */
  numbers: number
  /** Distinct metrics; rows can always be counted. */
  metrics: number
}

const numeric = 0

/** Returns a chart's needs, derived from the required settings of its form; an axis that offers only times needs a time. */
export function readDataRequirements({ form }: AnyChart): DataRequirements {
  const fields = buildFieldGroups(form).flatMap((group) => group.fields)
  const required = fields.filter((field) => field.required)
  const isNumber = ({ name }: Field) => name === 'column'
  const count = (as: Field['control']['as'], all: readonly Field[] = required) =>
    all.filter((field) => field.control.as === as).length
  const alongTime = fields.some(({ name, control }) => name === 'x_axis' && control.as === 'temporal-column') ? 1 : 0
  return {
    times: Math.max(alongTime, count('temporal-column')),
    columns:
      count('columns') +
      count(
        'column',
        required.filter((field) => !isNumber(field)),
      ),
    numbers: count('column', required.filter(isNumber)),
    metrics: count('metric'),
  }
}

/** Returns what a dataset has of each kind. */
export function countDatasetFields({ columns, metrics = [] }: DatasetFacts): DataRequirements {
  const times = columns.filter(({ is_dttm }) => is_dttm)
  const numbers = columns.filter(
    ({ column_name, type_generic }) => type_generic === numeric && !isNonAdditiveName(column_name),
  )
  return {
    times: times.length,
    columns: columns.length - times.length,
    numbers: numbers.length,
    metrics: 1 + numbers.length + metrics.filter(({ metric_name }) => metric_name !== 'count').length,
  }
}

/** Returns the first unmet need and the number that a dataset must have; null if the chart fits. */
export function findUnmetRequirement(
  needs: DataRequirements,
  supply: DataRequirements,
): { need: keyof DataRequirements; count: number } | null {
  const need = (['times', 'columns', 'numbers', 'metrics'] as const).find((each) => supply[each] < needs[each])
  return need ? { need, count: needs[need] } : null
}
