import type { DatasetPut } from '@parquetry/model'
import { isTemplate } from '@parquetry/templates'
import { type DatabaseRow, resolveSource } from '../connection/source.ts'
import { canReadAll } from '../sql-access/table-access.ts'
import type { ConnectionContext } from '../connection/describe-source.ts'
import type { FieldErrorCollector } from '../http/writing.ts'
import type { StoredDataset } from './stored-dataset.ts'
import { type DatasetExpression, listDatasetExpressions, findExpressionProblems } from './dataset-expressions.ts'

/** The expressions that a dataset will have once a change is saved. */
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

/** Whether one of them was not there before. */
export const hasNewExpressions = (texts: readonly DatasetExpression[], stored: StoredDataset): boolean => {
  const keyOf = ({ field, name, sql }: DatasetExpression): string => JSON.stringify([field, name, sql])
  const before = listDatasetExpressions({ ...stored, fetch_values_predicate: stored.row.fetch_values_predicate })
  const known = new Set(before.map(keyOf))
  return texts.some((text) => !known.has(keyOf(text)))
}

/** Complains of expressions that may not run for who saves them. What a template becomes is judged when it is carried out. */
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
