import type { QueryObject } from '@parquetry/model'
import { authorizeDatasetSql } from '../dataset/authorize-dataset-sql.ts'
import { refuseSecrets } from '../sql-access/authorize-sql.ts'
import { applyRowLevelSecurity } from '../user-sql/apply-rls-to-sql.ts'
import { renderQuery, type RenderedQuery } from './render-query.ts'
import { removeForbiddenExpressions } from './remove-forbidden-expressions.ts'
import { authorizeExpressions } from './authorize-expressions.ts'
import type { ResolvedQuery } from './resolved-query.ts'

/**
 * Prepares one query for planning: renders templates, checks expressions of the dataset and of the viewer, limits tables with
 * secrets to administrators, and restricts the SQL of a dataset to the rows that the viewer may see. The SQL of a past SQL Lab
 * query is already checked and restricted.
 * @throws AppError errors of templates, `authorizeDataset`, `authorizeDatasetSql`, `authorizeExpressions` and row-level security rules
 */
export async function prepareQuery(
  resolved: ResolvedQuery,
  requestedQuery: QueryObject,
  signal: AbortSignal,
): Promise<RenderedQuery> {
  const rendered = await renderQuery(resolved, requestedQuery)
  const { question, query } = rendered
  const [dataset] = await Promise.all([
    removeForbiddenExpressions(question, query),
    authorizeExpressions(question, query, signal),
  ])
  const authorized = { ...rendered, question: { ...question, dataset } }
  const { source, database, principal, context, deps } = question
  if (!dataset.sql) {
    refuseSecrets([{ ...dataset, name: dataset.table_name }], database, principal, dataset)
    return authorized
  }
  if (context.datasource.type === 'query') return authorized
  const { sql, schema } = dataset
  await authorizeDatasetSql(deps, { sql, row: question.stored.row, database, source, principal, signal })
  const securedSql = await applyRowLevelSecurity(deps, { sql, schema, source, database, principal, signal })
  return { ...authorized, question: { ...question, dataset: { ...dataset, sql: securedSql } } }
}
