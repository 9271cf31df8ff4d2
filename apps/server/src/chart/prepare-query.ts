import type { QueryObject } from '@parquetry/model'
import { authorizeDatasetSql } from '../dataset/authorize-dataset-sql.ts'
import { refuseSecrets } from '../sql-access/authorize-sql.ts'
import { exemptSql, type RestrictedSql, restrictSql } from '../row-level-security/restrict-sql.ts'
import { ruleRenderer } from '../templates/render-sql.ts'
import { renderQuery, type RenderedQuery } from './render-query.ts'
import { removeForbiddenExpressions } from './remove-forbidden-expressions.ts'
import { authorizeExpressions } from './authorize-expressions.ts'
import type { PreparedQuery, ResolvedQuery } from './resolved-query.ts'

/** A rendered query that may be planned. */
export type PreparedRendering = RenderedQuery & { question: PreparedQuery }

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
): Promise<PreparedRendering> {
  const rendered = await renderQuery(resolved, requestedQuery)
  const { question, query } = rendered
  const [dataset] = await Promise.all([
    removeForbiddenExpressions(question, query),
    authorizeExpressions(question, query, signal),
  ])
  const { source, database, principal, context, deps } = question
  const prepared = (sql: RestrictedSql | null): PreparedRendering => ({
    ...rendered,
    question: { ...question, dataset: { ...dataset, sql } },
  })
  if (!dataset.sql) {
    refuseSecrets([{ ...dataset, name: dataset.table_name }], database, principal, dataset)
    return prepared(null)
  }
  // The SQL of a past run was restricted when it was read for this user.
  if (context.datasource.type === 'query') return prepared(exemptSql(dataset.sql))
  const { sql, schema, catalog } = dataset
  await authorizeDatasetSql(deps, { sql, row: question.stored.row, database, source, principal, signal })
  return prepared(
    await restrictSql(
      deps,
      { sql, schema, catalog, source, database, principal, signal },
      ruleRenderer(deps, principal, database),
    ),
  )
}
