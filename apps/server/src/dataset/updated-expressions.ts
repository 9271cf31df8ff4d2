import type { DatasetPut } from '@parquetry/model'
import { isTemplate } from '@parquetry/templates'
import { type DatabaseRow, resolveSource } from '../connection/source.ts'
import { canReadAll } from '../sql-access/table-access.ts'
import type { ConnectionContext } from '../connection/describe-source.ts'
import type { FieldErrorCollector } from '../http/writing.ts'
import type { StoredDataset } from './stored-dataset.ts'
import { type DatasetExpression, listDatasetExpressions, findExpressionProblems } from './dataset-expressions.ts'

/** Expressions that a dataset will have after a change. */
export function buildUpdatedExpressions(
  { row, columns, metrics }: Pick<StoredDataset, 'row' | 'columns' | 'metrics'>,
  body: Pick<DatasetPut, 'columns' | 'metrics' | 'fetch_values_predicate'>,
  { override }: { override: boolean },
): DatasetExpression[] {
  const storedExpressions = new Map<number | undefined, string | null>(
    override ? [] : columns.map(({ id, expression }) => [id, expression]),
  )
  const changed = body.columns?.map(({ id, column_name, expression }) => ({
    column_name,
    expression: expression === undefined ? (storedExpressions.get(id) ?? null) : expression,
  }))
  const { fetch_values_predicate = row.fetch_values_predicate } = body
  return listDatasetExpressions({
    columns: changed ?? columns,
    metrics: body.metrics ?? metrics,
    fetch_values_predicate,
  })
}

/** Tests if any expression is new. */
export const hasNewExpressions = (texts: readonly DatasetExpression[], stored: StoredDataset): boolean => {
  const keyOf = ({ field, name, sql }: DatasetExpression): string => JSON.stringify([field, name, sql])
  const before = listDatasetExpressions({ ...stored, fetch_values_predicate: stored.row.fetch_values_predicate })
  const storedKeys = new Set(before.map(keyOf))
  return texts.some((text) => !storedKeys.has(keyOf(text)))
}

/**
 * Adds complaints about expressions that the user saving them may not run. The output of templates is checked when they are
 * rendered.
 */
export async function checkExpressions(
  { deps, principal, signal }: ConnectionContext,
  database: DatabaseRow,
  texts: readonly DatasetExpression[],
  errors: FieldErrorCollector,
): Promise<void> {
  const source = await resolveSource(deps, database, { onlyReads: principal }, null)
  const canCallForeign = () => canReadAll(principal, database)
  const untemplated = texts.filter(({ sql }) => !isTemplate(sql))
  for (const { field, problem } of await findExpressionProblems(untemplated, {
    deps,
    database,
    source,
    canCallForeign: canCallForeign,
    signal,
  }))
    errors.add(field, problem)
}
