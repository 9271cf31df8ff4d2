import type { TypedExpression } from '../sql-field/use-expression-check.ts'
import type { DatasetDraft } from './draft.ts'

/** A custom expression of a column or metric, by the name of its owner. */
export interface ChangedExpression extends TypedExpression {
  name: string
}

const sourceFields = ['database_id', 'catalog', 'schema', 'table_name', 'sql'] as const

/**
 * Expressions of calculated columns and metrics that a draft adds or changes. None if it also changes the source of the dataset:
 * they could only be checked against the old one.
 */
export function listChangedExpressions({ base, now }: DatasetDraft): ChangedExpression[] {
  if (sourceFields.some((field) => base[field] !== now[field])) return []
  const before = new Map([...base.columns, ...base.metrics].map(({ key, expression }) => [key, expression]))
  const isChanged = ({ key, expression }: { key: string; expression: string }): boolean =>
    expression.trim() !== '' && before.get(key) !== expression
  return [
    ...now.columns
      .filter((column) => column.isCalculated && isChanged(column))
      .map(({ column_name, expression }) => ({ name: column_name, kind: 'column' as const, sql: expression })),
    ...now.metrics
      .filter(isChanged)
      .map(({ metric_name, expression }) => ({ name: metric_name, kind: 'metric' as const, sql: expression })),
  ]
}
