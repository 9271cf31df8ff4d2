import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { buildColumn } from '../columns.ts'
import type { Column, Frame } from '../frame.ts'
import { take } from '../take.ts'
import { StepRefusal } from './refusal.ts'

/** Column name by level: after a pivot the metric, then one value per pivoted column. null: removed by a rename. */
export type Label = readonly (string | null)[]

export interface TableColumn {
  label: Label
  data: Column
  /** Parts of the label when they differ from its comma-separated text: the edges of a bin. */
  parts?: string[]
}

/**
 * Table passed between steps: a frame whose columns may have labels of several levels and whose rows may be named by an index
 * separate from the columns, like a pandas data frame.
 */
export interface Table {
  rows: number
  columns: readonly TableColumn[]
  /** Name of each level of the labels. A flat table has one without a name. */
  levels: readonly (string | null)[]
  /** null: rows are named by their position. */
  index: TableIndex | null
  /** Set by `pivot`: a null may be a hole, where a series has no row, and steps over time fill it like a missing time. */
  isPivoted?: true
}

export interface TableIndex {
  /** An unnamed level contains the original positions of the rows. */
  names: readonly (string | null)[]
  columns: readonly Column[]
}

export const toTable = ({ rows, columns }: Frame): Table => ({
  rows,
  columns: columns.map((data) => ({ label: [data.name], data })),
  levels: [null],
  index: null,
})

/** Columns with that name; with several levels, all columns below it. */
export const columnsUnder = ({ columns }: Pick<Table, 'columns'>, name: string): TableColumn[] =>
  columns.filter(({ label }) => label[0] === name)

/** @throws StepRefusal when a name is not a column */
export function requireColumns(table: Table, names: Iterable<string>): void {
  for (const name of names)
    if (columnsUnder(table, name).length === 0) throw new StepRefusal(`The table has no column \`${name}\`.`)
}

/** The first column of that name. @throws AppError `unknown_column` */
export function getColumn(table: Table, name: string): Column {
  const [found] = columnsUnder(table, name)
  if (!found)
    throw new AppError('unknown_column', {
      message: message('errors.frame.noColumn', 'The table has no column `{name}`.', { name }),
    })
  return found.data
}

/** The rows of a table in the order given; they keep their names. */
export function takeRows(table: Table, order: Int32Array): Table {
  const { rows, columns, index } = table
  const names: TableIndex = index ?? {
    names: [null],
    columns: [
      buildColumn(
        Array.from({ length: rows }, (_, row) => row),
        '',
      ),
    ],
  }
  return {
    ...table,
    rows: order.length,
    columns: columns.map(({ label, data }) => ({ label, data: take(data, order) })),
    index: { names: names.names, columns: names.columns.map((column) => take(column, order)) },
  }
}

/**
 * Adds results to the table: in place of their source columns if every name stays the same, otherwise all of them at the end
 * under their new names, including those whose name stays.
 */
export function withResults(table: Table, results: readonly TableColumn[], names: ReadonlyMap<string, string>): Table {
  if ([...names].every(([from, to]) => from === to)) {
    const left = [...results]
    const columns = table.columns.map((column) => {
      const index = left.findIndex(({ label }) => isSameLabel(label, column.label))
      return index < 0 ? column : left.splice(index, 1)[0]!
    })
    return { ...table, columns }
  }
  const renamed = results.map(({ label, data }) => ({
    label: [names.get(label[0]!) ?? label[0]!, ...label.slice(1)],
    data,
  }))
  return { ...table, columns: [...table.columns, ...renamed] }
}

export const isSameLabel = (one: Label, other: Label): boolean =>
  one.length === other.length && one.every((part, level) => part === other[level])
