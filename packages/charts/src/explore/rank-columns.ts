import type { DatasetFacts } from '../define.ts'
import { isNonAdditiveName } from './non-additive-name.ts'
import { timeColumn, type TimeSpan } from './suggest-form.ts'

/** What one pass over the data says of a column. */
export interface ColumnFacts {
  /** Rows that have a value. */
  filled: number
  /** Different values; of a text or a number. */
  distinct?: number
  /** Of a time, in milliseconds. */
  span?: TimeSpan | null
}

export interface TableFacts {
  rows: number
  columns: Readonly<Record<string, ColumnFacts>>
}

/** The columns that first pictures are made of, the best first. */
export interface RankedColumns {
  /** What courses run along; undefined where no time has more than one instant. */
  time: string | undefined
  span: TimeSpan | null
  /** What groups go by. */
  dimensions: string[]
  /** Texts of more values that come again: what has a largest part, and too many to show all. */
  names: string[]
  /** Numbers that add up. */
  measures: string[]
}

const [number, text, boolean] = [0, 1, 3]

/** So many values a dimension has that can be told apart in a picture. */
const values = { least: 2, most: 30 }

type Column = DatasetFacts['columns'][number] & { type?: string | null }

/**
 * Ranks the columns of a table that nobody has described. A time has more than one instant, and the one with the most rows is the best
 * (of equal ones the dataset's main one); a dimension has 2 to 30 values and is filled where others are not; a measure is a number
 * that neither names things nor tells every row from all others, and has more than one value. Without a pass over the data names and
 * kinds alone decide, in the order of the columns.
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
  const measures = dataset.columns.filter(
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
    measures: called(measures),
  }
}
