import { buildNumberColumn } from '../columns.ts'
import { groupRows, factorize, withNull } from './keys.ts'
import { toNumbers } from './numbers.ts'
import type { Options } from './options.ts'
import { getColumn, requireColumns, isSameLabel, type Table } from './table.ts'

/**
 * `rank`: adds the column `rank`, the rank of each value within its group divided by the group's count (the lowest of n is 1/n,
 * the highest 1); equal values share the mean of their ranks, null has none. Rows with a null key form their own group.
 */
export function rank(table: Table, options: Options): Table {
  const metric = options.required('metric', options.text('metric'))
  const group = options.text('group_by')
  requireColumns(table, group === undefined ? [metric] : [metric, group])
  const values = toNumbers(getColumn(table, metric), table.rows, 'rank')
  const keys = group === undefined ? [] : [withNull(factorize(getColumn(table, group), table.rows))]
  const ranks = new Float64Array(table.rows).fill(NaN)
  for (const rows of groupRows(keys, table.rows).members) {
    const known = rows.filter((row) => !Number.isNaN(values[row]!)).sort((one, other) => values[one]! - values[other]!)
    for (let start = 0; start < known.length;) {
      let end = start + 1
      while (end < known.length && values[known[end]!] === values[known[start]!]) end++
      for (let index = start; index < end; index++) ranks[known[index]!] = (start + 1 + end) / 2 / known.length
      start = end
    }
  }
  const added = { label: ['rank', ...table.levels.slice(1).map(() => '')], data: buildNumberColumn('rank', ranks) }
  return { ...table, columns: [...table.columns.filter(({ label }) => !isSameLabel(label, added.label)), added] }
}
