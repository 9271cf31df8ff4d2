import { take } from '../take.ts'
import { aggregateColumn, parseAggregates, readAggregatesOption } from './aggregators.ts'
import { groupRows, factorize } from './keys.ts'
import type { Options } from './options.ts'
import { getColumn, requireColumns, type Table } from './table.ts'

/** `aggregate`: one row per group, in ascending order of the groups; rows with a null key are left out. */
export function aggregate(table: Table, options: Options): Table {
  const groupby = options.required('groupby', options.texts('groupby'))
  requireColumns(table, groupby)
  const aggregates = parseAggregates(table, readAggregatesOption(options))
  const keyColumns = groupby.map((name) => getColumn(table, name))
  const { members } = groupRows(
    keyColumns.map((column) => factorize(column, table.rows)),
    table.rows,
  )
  const firsts = members.map((rows) => rows[0]!)
  return {
    rows: members.length,
    levels: [null],
    index: null,
    columns: [
      ...groupby.map((name, index) => ({ label: [name], data: take(keyColumns[index]!, firsts) })),
      ...aggregates.map((one) => ({
        label: [one.name],
        data: aggregateColumn(getColumn(table, one.column), table.rows, members, one),
      })),
    ],
  }
}
