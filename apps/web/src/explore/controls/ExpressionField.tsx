import { identifierQuote } from '../../shared/sql-field/identifier-quote.ts'
import { SqlField, type SqlFieldProps } from '../../shared/sql-field/SqlField.tsx'
import type { ExploreDataset } from '../use-explore.ts'
import { columnIcon } from '../../shared/column-icon.ts'

export interface ExpressionFieldProps extends Omit<SqlFieldProps, 'names' | 'quote'> {
  dataset: Pick<ExploreDataset, 'columns' | 'database'>
}

/** SQL editor that completes the dataset's columns. */
export function ExpressionField({ dataset, ...rest }: ExpressionFieldProps) {
  const names = dataset.columns.map((column) => ({
    name: column.column_name,
    words: column.verbose_name,
    icon: columnIcon(column),
    note: (column.type ?? '').toLowerCase(),
  }))
  return <SqlField {...rest} names={names} quote={identifierQuote(dataset.database?.backend)} />
}
