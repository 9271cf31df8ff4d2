import { toNumbers, toResultColumn } from './numbers.ts'
import type { Options } from './options.ts'
import { StepRefusal } from './refusal.ts'
import { requireColumns, columnsUnder, withResults, type Table } from './table.ts'

const operators: Record<string, (soFar: number, value: number) => number> = {
  sum: (soFar, value) => soFar + value,
  prod: (soFar, value) => soFar * value,
  min: Math.min,
  max: Math.max,
}

/**
 * `cum`: the running sum, product, minimum or maximum; nulls stay null and are skipped. After a pivot the result goes on over
 * holes, because a time without a row adds nothing; a sum is 0 before the first value.
 */
export function cum(table: Table, options: Options): Table {
  const names = options.required('columns', options.renames('columns')) as Map<string, string>
  const operator = options.required('operator', options.text('operator'))
  requireColumns(table, names.keys())
  if (!Object.hasOwn(operators, operator)) throw new StepRefusal(`Unknown cumulative operator \`${operator}\`.`)
  const combine = operators[operator]!
  const results = [...names.keys()].flatMap((name) =>
    columnsUnder(table, name).map(({ label, data }) => {
      let soFar = table.isPivoted && operator === 'sum' ? 0 : NaN
      const values = toNumbers(data, table.rows, 'cum').map((value) => {
        if (Number.isNaN(value)) return table.isPivoted ? soFar : NaN
        return (soFar = Number.isNaN(soFar) ? value : combine(soFar, value))
      })
      return { label, data: toResultColumn(data, values) }
    }),
  )
  return withResults(table, results, names)
}
