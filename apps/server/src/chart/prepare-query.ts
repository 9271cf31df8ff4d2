import type { QueryObject, ResultType } from '@parquetry/model'
import { authorizeDatasetSql } from '../dataset/authorize-dataset-sql.ts'
import { refuseSecrets } from '../sql-access/authorize-sql.ts'
import { exemptSql, type RestrictedSql, restrictSql } from '../row-level-security/restrict-sql.ts'
import { ruleRenderer } from '../templates/render-sql.ts'
import { renderQuery, type RenderedQuery } from './render-query.ts'
import { removeForbiddenExpressions } from './remove-forbidden-expressions.ts'
import { authorizeExpressions } from './authorize-expressions.ts'
import type { PreparedQuery, ResolvedQuery } from './resolved-query.ts'
import { authorizeViewerQuery } from './viewer-queries/authorize-viewer-query.ts'

/** A rendered query that passed all checks and contains the rules of its viewer where its dataset is SQL. */
export type PlannableQuery = RenderedQuery & { resolved: PreparedQuery }

/**
 * Prepares one query for planning: refuses viewers queries that are not of their dashboard, renders templates, checks expressions
 * of the dataset and of the user, limits tables with secrets to administrators, and restricts the SQL of a dataset to the rows
 * that the user may see. The SQL of a past SQL Lab query is already checked and restricted.
 * @param resultType  the type it will be planned with, which decides what it reads
 * @throws AppError errors of `authorizeViewerQuery`, templates, `removeForbiddenExpressions`, `authorizeDatasetSql`,
 *   `authorizeExpressions` and row-level security rules
 */
export async function prepareQuery(
  unrendered: ResolvedQuery,
  requestedQuery: QueryObject,
  resultType: ResultType,
  signal: AbortSignal,
): Promise<PlannableQuery> {
  await authorizeViewerQuery(unrendered, requestedQuery, resultType)
  const rendered = await renderQuery(unrendered, requestedQuery)
  const { resolved, query } = rendered
  const [dataset] = await Promise.all([
    removeForbiddenExpressions(resolved, query, resultType),
    authorizeExpressions(resolved, query, signal),
  ])
  const { source, database, principal, context, deps } = resolved
  const prepareWith = (sql: RestrictedSql | null): PlannableQuery => ({
    ...rendered,
    resolved: { ...resolved, dataset: { ...dataset, sql } },
  })
  if (!dataset.sql) {
    refuseSecrets([{ ...dataset, name: dataset.table_name }], database, principal, dataset)
    return prepareWith(null)
  }
  // The SQL of a past run was restricted when it was read for this user.
  if (context.datasource.type === 'query') return prepareWith(exemptSql(dataset.sql))
  const { sql, schema, catalog } = dataset
  await authorizeDatasetSql(deps, { sql, row: resolved.stored.row, database, source, principal, signal })
  return prepareWith(
    await restrictSql(
      deps,
      { sql, schema, catalog, source, database, principal, signal },
      ruleRenderer(deps, principal, database),
    ),
  )
}
