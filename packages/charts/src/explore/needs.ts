import { controlsOf, type Field } from '../controls-of.ts'
import type { AnyChart, DatasetFacts } from '../define.ts'
import { isNameOfThings } from './names-of-things.ts'

/** How many columns of each sort a chart cannot do without. */
export interface Needs {
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
export function needsOf({ form }: AnyChart): Needs {
  const fields = controlsOf(form).flatMap((group) => group.fields)
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
export function supplyOf({ columns, metrics = [] }: DatasetFacts): Needs {
  const times = columns.filter(({ is_dttm }) => is_dttm)
  const numbers = columns.filter(
    ({ column_name, type_generic }) => type_generic === numeric && !isNameOfThings(column_name),
  )
  return {
    times: times.length,
    columns: columns.length - times.length,
    numbers: numbers.length,
    metrics: 1 + numbers.length + metrics.filter(({ metric_name }) => metric_name !== 'count').length,
  }
}

/** The first need that is not met, and how many of that sort a dataset would have to have; null where the chart fits. */
export function missingFor(needs: Needs, supply: Needs): { need: keyof Needs; count: number } | null {
  const need = (['times', 'columns', 'numbers', 'metrics'] as const).find((each) => supply[each] < needs[each])
  return need ? { need, count: needs[need] } : null
}
