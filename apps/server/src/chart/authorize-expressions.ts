import { AppError, message, type InspectedStatement, type QueryObject } from '@parquetry/model'
import {
  authorizeTables,
  resolveNamespace,
  refuseForAdministrators,
  refuseForeign,
} from '../sql-access/authorize-sql.ts'
import { holdsQuery, inspectExpression } from '../sql-access/inspect-expression.ts'
import { canReadAll } from '../sql-access/table-access.ts'
import { restrictSql } from '../row-level-security/restrict-sql.ts'
import { ruleRenderer } from '../templates/render-sql.ts'
import type { ResolvedQuery } from './resolved-query.ts'

/**
 * Checks with the engine's own grammar if the SQL in a query (columns, metrics, filters, orders, clauses) may run for its viewer.
 * It may read no table besides the dataset; users who may not read the whole database may call only built-in functions, and
 * administrator features are limited to administrators. SQL of the dataset is not checked here. SQL that does not parse is
 * reported by planning.
 * @throws AppError `adhoc_subquery`; with ALLOW_ADHOC_SUBQUERY `query_access` for a table that was not granted, and
 * `sql_not_allowed` for one with row-level security rules; `sql_not_allowed` for a function
 */
export async function authorizeExpressions(
  resolved: ResolvedQuery,
  query: QueryObject,
  signal: AbortSignal,
): Promise<void> {
  const { dataset, source, deps } = resolved
  const texts = collectSqlTexts(query, new Set(dataset.columns.map(({ column_name }) => column_name)))
  await Promise.all(
    texts.map(async (text) => {
      for (const { sql, statement } of await inspectExpression(deps, source, text, signal))
        await authorizeExpression(resolved, statement, sql, signal)
    }),
  )
}

async function authorizeExpression(
  { dataset, database, source, principal, deps }: ResolvedQuery,
  statement: InspectedStatement,
  sql: string,
  signal: AbortSignal,
): Promise<void> {
  if (holdsQuery(statement)) {
    if (deps.settings.flags['ALLOW_ADHOC_SUBQUERY'] !== true || !statement.readOnly)
      throw new AppError('adhoc_subquery', {
        message: message('errors.chart.subquery', 'Error: Custom SQL fields cannot contain sub-queries.'),
        status: 400,
      })
    const { schema } = resolveNamespace({ principal }, database, dataset)
    if (!canReadAll(principal, database))
      await authorizeTables(
        statement.tables,
        database,
        { db: deps.db, principal },
        { schema, catalog: dataset.catalog },
      )
    // The sub-query is embedded in generated SQL, so it cannot be restricted in place.
    const input = { sql, schema, catalog: dataset.catalog, source, database, principal, signal }
    if ((await restrictSql(deps, input, ruleRenderer(deps, principal, database))) !== sql)
      throw new AppError('sql_not_allowed', {
        message: message(
          'errors.chart.subqueryOfRestrictedTable',
          'Sub-queries cannot read tables that have row-level security rules.',
        ),
      })
  }
  refuseForAdministrators(sql, statement, database, principal, dataset)
  if (!canReadAll(principal, database)) refuseForeign(statement, database)
}

/** Returns the distinct SQL texts of a query, except those that only name a column of the dataset. */
function collectSqlTexts({ extras, ...query }: QueryObject, columns: ReadonlySet<string>): string[] {
  const found = new Set<string>()
  const add = (text: unknown) => {
    if (typeof text === 'string' && text.trim() !== '' && !columns.has(text)) found.add(text)
  }
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'sqlExpression') add(inner)
      else visit(inner)
    }
  }
  visit(query)
  add(extras?.where)
  add(extras?.having)
  return [...found]
}
