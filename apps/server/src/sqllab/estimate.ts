import { AppError, type EstimateRequest, message } from '@parquetry/model'
import { relocateError } from '@parquetry/sql'
import { describeSource } from '../connection/describe-source.ts'
import { readExtra } from '../connection/extra.ts'
import { databaseResource } from '../database/database-resource.ts'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import { visibleRow } from '../http/resource.ts'
import type { AccessContext } from '../access/access.ts'
import { prepareUserSql } from '../user-sql/prepare-user-sql.ts'
import type { SqllabDeps } from './deps.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'

const databaseGone = (): AppError =>
  new AppError('gone', {
    status: 404,
    message: message('errors.sqllab.databaseNotFound', 'The database could not be found'),
  })

/** The engine must support estimates, and they must not be disabled for this database. */
function requireEstimates(database: DatabaseRow): void {
  if (engineFor(database).supports.estimate && readExtra(database).cost_estimate_enabled !== false) return
  throw new AppError('unsupported', {
    message: message('errors.sqllab.noEstimates', 'Cost estimates are not available for this database.'),
  })
}

/**
 * Estimates the cost of each statement, in the terms of its engine, without running it.
 * @throws AppError `gone` for a missing or invisible database, `unsupported`, what `authorizeSql` refuses, `sql_not_allowed` where
 * row-level security rules apply, engine errors, `query_timeout`
 */
export async function estimateCost(
  deps: SqllabDeps,
  { database_id, sql: requestSql, schema = null, catalog = null, template_params }: EstimateRequest,
  { principal, signal: requestSignal }: { principal: Principal; signal: AbortSignal },
): Promise<Record<string, string>[]> {
  const access: AccessContext = {
    db: deps.db,
    principal,
    ...readViewerRules(deps.settings),
  }
  const database = await visibleRow<DatabaseRow>(databaseResource, database_id, access).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? databaseGone() : error
  })
  requireEstimates(database)
  const seconds = deps.settings.config.SQLLAB_QUERY_COST_ESTIMATE_TIMEOUT
  const timeout = AbortSignal.timeout(seconds * 1000)
  const signal = AbortSignal.any([requestSignal, timeout])
  try {
    const templateParams = template_params ? JSON.stringify(template_params) : null
    const text = { sql: requestSql, templateParams, name: '', schema, catalog }
    const { sql, inspection, inspected, namespace } = await prepareUserSql(deps, { principal, signal }, database, text)
    if (inspection !== inspected)
      throw new AppError('sql_not_allowed', {
        message: message(
          'errors.sqllab.estimateRestricted',
          'Row-level security rules limit which rows of these tables you can see, and a cost estimate would reveal information about all of them.',
        ),
      })
    const costs: Record<string, string>[] = []
    for (const [at, { span }] of inspection.statements.entries()) {
      const request = { what: 'estimate', sql: sql.slice(...span) } as const
      const context = { ...access, deps, signal }
      const found = await describeSource(context, database, request, { ...namespace, force: true }).catch(
        (error: unknown) => {
          const statement = at + 1
          throw relocateError(
            sql,
            inspection,
            error instanceof AppError ? error.wrap({ details: { statement } }) : error,
          )
        },
      )
      costs.push(found.cost)
    }
    return costs
  } catch (error) {
    if (!timeout.aborted) throw error
    throw new AppError('query_timeout', {
      message: message(
        'errors.sqllab.estimateTimeout',
        'The cost estimate did not finish within {seconds, plural, one {# second} other {# seconds}}.',
        { seconds },
      ),
      cause: error,
    })
  }
}
