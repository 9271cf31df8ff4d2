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
  const kept = new Map<number | undefined, string | null>(
    override ? [] : columns.map(({ id, expression }) => [id, expression]),
  )
  const changed = body.columns?.map(({ id, column_name, expression }) => ({
    column_name,
    expression: expression === undefined ? (kept.get(id) ?? null) : expression,
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
  const known = new Set(before.map(keyOf))
  return texts.some((text) => !known.has(keyOf(text)))
}

/**
 * Adds complaints about expressions that the user saving them may not run. The output of templates is checked when they are
 * rendered.
 */
export async function checkExpressions(
  { deps, principal, signal }: ConnectionContext,
  database: DatabaseRow,
  texts: readonly DatasetExpression[],
  complaints: FieldErrorCollector,
): Promise<void> {
  const source = await resolveSource(deps, database, { onlyReads: principal }, null)
  const mayCallForeign = () => canReadAll(principal, database)
  const written = texts.filter(({ sql }) => !isTemplate(sql))
  for (const { field, problem } of await findExpressionProblems(written, {
    deps,
    database,
    source,
    canCallForeign: mayCallForeign,
    signal,
  }))
    complaints.add(field, problem)
}
