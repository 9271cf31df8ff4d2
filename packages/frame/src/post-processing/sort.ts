import type { Column } from '../frame.ts'
import { factorize } from './keys.ts'
import type { Options } from './options.ts'
import { invalidStep } from './refusal.ts'
import { message } from '@parquetry/model/message'
import { getColumn, requireColumns, takeRows, type Table } from './table.ts'

/** `sort`: sorts by columns or by the index. Nulls are last in either direction; equal rows keep their order. */
export function sort(table: Table, options: Options): Table {
  const given = options.raw('by')
  const by = typeof given === 'string' ? [given] : (options.texts('by') ?? [])
  const directions = readDirections(options.raw('ascending') ?? true)
  requireColumns(table, by)
  if (options.flag('is_sort_index')) {
    const columns = table.index?.columns ?? []
    if (columns.length === 0 && directions[0] !== false) return table
    return takeRows(table, columns.length ? orderBy(columns, directions, table.rows) : backwards(table.rows))
  }
  if (by.length === 0) return table
  if (directions.length > 1 && directions.length !== by.length)
    throw invalidStep(
      message('errors.frame.sortDirections', '`ascending` of `sort` must have one direction, or one for each column.'),
    )
  if (Array.isArray(options.raw('ascending')) && directions.length !== by.length)
    throw invalidStep(
      message('errors.frame.sortDirectionEach', '`ascending` of `sort` must have one direction for each column.'),
    )
  return takeRows(
    table,
    orderBy(
      by.map((name) => getColumn(table, name)),
      directions,
      table.rows,
    ),
  )
}

function readDirections(given: unknown): boolean[] {
  const list = Array.isArray(given) ? given : [given]
  if (!list.every((item) => typeof item === 'boolean' || item === 0 || item === 1))
    throw invalidStep(
      message('errors.frame.sortAscending', '`ascending` of `sort` must be true or false, or a list of these.'),
    )
  return list.map(Boolean)
}

const backwards = (rows: number): Int32Array => Int32Array.from({ length: rows }, (_, index) => rows - 1 - index)

function orderBy(columns: readonly Column[], ascending: readonly boolean[], rows: number): Int32Array {
  const keys = columns.map((column) => factorize(column, rows).codes)
  const order = Int32Array.from({ length: rows }, (_, row) => row)
  return order.sort((one, other) => {
    for (let index = 0; index < keys.length; index++) {
      const [left, right] = [keys[index]![one]!, keys[index]![other]!]
      if (left === right) continue
      if (left < 0 || right < 0) return left < 0 ? 1 : -1
      return (ascending[index] ?? ascending[0]) ? left - right : right - left
    }
    return one - other
  })
}
