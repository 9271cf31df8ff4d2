import { nameQuote } from '../../shared/sql-field/name-quote.ts'
import { SqlField, type SqlFieldProps } from '../../shared/sql-field/SqlField.tsx'
import type { ExploreDataset } from '../use-explore.ts'
import { iconOfColumn } from '../../shared/column-icon.ts'

export interface ExpressionFieldProps extends Omit<SqlFieldProps, 'names' | 'quote'> {
  dataset: Pick<ExploreDataset, 'columns' | 'database'>
}

/** SQL over a dataset's columns. */
export function ExpressionField({ dataset, ...rest }: ExpressionFieldProps) {
  const names = dataset.columns.map((column) => ({
    name: column.column_name,
    words: column.verbose_name,
    icon: iconOfColumn(column),
    note: (column.type ?? '').toLowerCase(),
  }))
  return <SqlField {...rest} names={names} quote={nameQuote(dataset.database?.backend)} />
}
