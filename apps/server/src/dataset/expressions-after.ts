import type { DatasetPut } from '@parquetry/model'
import { isTemplate } from '@parquetry/templates'
import { type DatabaseRow, sourceOf } from '../connection/source.ts'
import { readsAll } from '../sql-access/table-access.ts'
import type { CatalogueContext } from '../connection/catalogue.ts'
import type { Complaints } from '../http/writing.ts'
import type { StoredDataset } from './describe.ts'
import { type OwnText, ownTextsOf, problemsOf } from './judge-own-texts.ts'

/** The expressions that a dataset will have once a change is saved. */
export function expressionsAfter(
  { row, columns, metrics }: Pick<StoredDataset, 'row' | 'columns' | 'metrics'>,
  body: Pick<DatasetPut, 'columns' | 'metrics' | 'fetch_values_predicate'>,
  { override }: { override: boolean },
): OwnText[] {
  const kept = new Map<number | undefined, string | null>(
    override ? [] : columns.map(({ id, expression }) => [id, expression]),
  )
  const changed = body.columns?.map(({ id, column_name, expression }) => ({
    column_name,
    expression: expression === undefined ? (kept.get(id) ?? null) : expression,
  }))
  const { fetch_values_predicate = row.fetch_values_predicate } = body
  return ownTextsOf({ columns: changed ?? columns, metrics: body.metrics ?? metrics, fetch_values_predicate })
}

/** Whether one of them was not there before. */
export const isRewritten = (texts: readonly OwnText[], stored: StoredDataset): boolean => {
  const keyOf = ({ field, name, sql }: OwnText): string => JSON.stringify([field, name, sql])
  const before = ownTextsOf({ ...stored, fetch_values_predicate: stored.row.fetch_values_predicate })
  const known = new Set(before.map(keyOf))
  return texts.some((text) => !known.has(keyOf(text)))
}

/** Complains of expressions that may not run for who saves them. What a template becomes is judged when it is carried out. */
export async function checkExpressions(
  { deps, principal, signal }: CatalogueContext,
  database: DatabaseRow,
  texts: readonly OwnText[],
  complaints: Complaints,
): Promise<void> {
  const source = await sourceOf(deps, database, { onlyReads: principal }, null)
  const mayCallForeign = () => readsAll(principal, database)
  const written = texts.filter(({ sql }) => !isTemplate(sql))
  for (const { field, problem } of await problemsOf(written, { deps, database, source, mayCallForeign, signal }))
    complaints.add(field, problem)
}
