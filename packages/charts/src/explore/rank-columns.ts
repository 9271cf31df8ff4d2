import type { DatasetFacts } from '../define.ts'
import { isAveragedName, isNonAdditiveName } from './non-additive-name.ts'
import type { TimeSpan } from '../shared/grain.ts'
import { timeColumn } from './suggest-form.ts'

/** Statistics of a column from one pass over the data. */
export interface ColumnFacts {
  /** Rows with a value. */
  filled: number
  /** Distinct values of a text or a number. */
  distinct?: number
  /** Range of a time, in milliseconds. */
  span?: TimeSpan | null
}

export interface TableFacts {
  rows: number
  columns: Readonly<Record<string, ColumnFacts>>
}

/** Columns for suggested charts, best first. */
export interface RankedColumns {
  /** Column of time axes; undefined if no time has more than one instant. */
  time: string | undefined
  span: TimeSpan | null
  /** Columns to group by. */
  dimensions: string[]
  /** Texts with more, repeated values: suited to a top list, but too many to show all. */
  names: string[]
  /** Numbers to sum. */
  measures: string[]
  /** Numbers to average, which have no meaningful sum. */
  averages: string[]
}

const [number, text, boolean] = [0, 1, 3]

/** Number of dimension values that a chart can distinguish. */
const values = { least: 2, most: 30 }

type Column = DatasetFacts['columns'][number] & { type?: string | null }

/**
 * Ranks the columns of a table without descriptions. A time has more than one instant, and the one with the most rows is best
 * (among equal ones the dataset's main one). A dimension has 2 to 30 values, most complete first. A measure is a number with more
 * than one value that is neither an identifier nor unique in each row; averages, rates and lengths are listed apart. Without statistics, names and types alone decide, in
 * column order.
 */
export function rankColumns(
  dataset: DatasetFacts & { columns: readonly Column[] },
  facts: TableFacts | null,
): RankedColumns {
  const of = ({ column_name }: Column): ColumnFacts | undefined => facts?.columns[column_name]
  const filled = (column: Column): number => of(column)?.filled ?? 0
  const distinct = (column: Column): number | undefined => of(column)?.distinct
  const main = timeColumn(dataset)
  const [time] = dataset.columns
    .filter((column) => column.is_dttm && (facts === null || of(column)?.span))
    .toSorted((a, b) => filled(b) - filled(a) || Number(b.column_name === main) - Number(a.column_name === main))
  const isReadable = (column: Column): boolean => {
    const count = distinct(column)
    return count === undefined ? facts === null : count >= values.least && count <= values.most
  }
  const dimensions = dataset.columns
    .filter((column) => !column.is_dttm && (column.type_generic === text || column.type_generic === boolean))
    .filter((column) => facts !== null || column.type_generic === text)
    .filter(isReadable)
    .toSorted((a, b) => filled(b) - filled(a))
  const repeating = dataset.columns
    .filter((column) => !column.is_dttm && column.type_generic === text)
    .filter((column) => (distinct(column) ?? 0) > values.most && (distinct(column) ?? 0) <= filled(column) / 2)
    .toSorted((a, b) => (distinct(a) ?? 0) - (distinct(b) ?? 0))
  const isKey = (column: Column): boolean =>
    facts !== null &&
    facts.rows > 1 &&
    distinct(column) === facts.rows &&
    /int|serial|number$/i.test(column.type ?? 'int')
  const numbers = dataset.columns.filter(
    (column) =>
      column.type_generic === number &&
      !isNonAdditiveName(column.column_name) &&
      !isKey(column) &&
      (distinct(column) ?? values.least) >= values.least,
  )
  const called = (columns: readonly Column[]) => columns.map(({ column_name }) => column_name)
  return {
    time: time?.column_name,
    span: (time && of(time)?.span) ?? null,
    dimensions: called(dimensions),
    names: called(repeating),
    measures: called(numbers.filter(({ column_name }) => !isAveragedName(column_name))),
    averages: called(numbers.filter(({ column_name }) => isAveragedName(column_name))),
  }
}
