import { buildFieldGroups, type Field } from '../field-groups.ts'
import type { AnyChart, DatasetFacts } from '../define.ts'
import { isNonAdditiveName } from './non-additive-name.ts'

/** How many columns of each sort a chart cannot do without. */
export interface DataRequirements {
  times: number
  /** That are no times: dimensions. */
  columns: number
  /** Columns whose numbers add up. */
  numbers: number
  /** Of different things; the rows themselves can always be counted. */
  metrics: number
}

const numeric = 0

/** What a chart needs, read from the settings that its form requires; it runs along time where it offers nothing but times. */
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

/** What a dataset has of each sort. */
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

/** The first need that is not met, and how many of that sort a dataset would have to have; null where the chart fits. */
export function findUnmetRequirement(
  needs: DataRequirements,
  supply: DataRequirements,
): { need: keyof DataRequirements; count: number } | null {
  const need = (['times', 'columns', 'numbers', 'metrics'] as const).find((each) => supply[each] < needs[each])
  return need ? { need, count: needs[need] } : null
}
