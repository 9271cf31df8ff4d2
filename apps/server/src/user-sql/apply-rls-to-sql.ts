import { AppError, type Source } from '@parquetry/model'
import { findClauseProblem, inlineValues } from '@parquetry/query'
import { joinRuleClauses, type SecuredTable, spliceRowLevelSecurity } from '@parquetry/sql'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import { loadRlsRules, findTablesWithRules } from '../access/load-rls-rules.ts'
import { readCached } from '../store/read-cache.ts'
import { renderSql } from '../templates/render-sql.ts'
import type { UserSqlDeps } from './deps.ts'

export interface RowLevelSecurityInput {
  sql: string
  source: Source
  database: DatabaseRow
  principal: Principal
  /** Schema of unqualified names. */
  schema: string | null
  signal: AbortSignal
}

/**
 * Replaces tables that have row-level security rules with the rows that the user may see.
 * @throws AppError `sql_not_allowed` when a restricted table is at a position that cannot be replaced
 */
export async function applyRowLevelSecurity(
  deps: UserSqlDeps,
  { sql, source, database, principal, schema, signal }: RowLevelSecurityInput,
): Promise<string> {
  const restricted = await loadRestrictedTables(deps, database, principal, source.engine)
  if (restricted.length === 0) return sql
  const { dialect } = engineFor(database)
  const inspection = await deps.runners.inspect(sql, source, signal)
  return spliceRowLevelSecurity(
    sql,
    inspection,
    restricted,
    schema,
    source.engine,
    inlineValues(dialect.fence, dialect),
  )
}

/** The tables of a database with rules for a user, with the templates in the rules rendered. */
export async function loadRestrictedTables(
  deps: UserSqlDeps,
  database: DatabaseRow,
  principal: Principal,
  engine: string,
): Promise<SecuredTable[]> {
  const restricted: SecuredTable[] = []
  for (const { id, schema: datasetSchema, table_name: name } of await listRestrictedDatasets(
    deps,
    database,
    principal,
  )) {
    const rules = await loadRlsRules(deps.db, principal, id)
    if (rules.length === 0) continue
    const rendered = await Promise.all(
      rules.map(async ({ group_key, clause }) => ({
        group_key,
        clause: await renderSql(deps, principal, database, {
          sql: clause,
          templateParams: null,
          name: 'row-level security rule',
          schema: datasetSchema,
          catalog: null,
        }),
      })),
    )
    const problem = rendered.map(({ clause }) => findClauseProblem(clause, engine)).find(Boolean)
    if (problem)
      throw new AppError('invalid_query', {
        message: `A row-level security rule on ${name} could not be applied: ${problem}`,
      })
    restricted.push({ schema: datasetSchema, name, clause: joinRuleClauses(rendered) })
  }
  return restricted
}

/** Includes datasets that the user may not open: their rules protect the table even then. */
const listRestrictedDatasets = ({ db }: UserSqlDeps, { id }: DatabaseRow, principal: Principal) =>
  readCached(db, principal, JSON.stringify(['ruled', id]), () => findTablesWithRules(db, principal, id))
