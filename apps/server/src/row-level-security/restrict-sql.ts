import type { Source } from '@parquetry/model'
import { inlineValues, joinRuleClauses, type RowLevelSecurityRule } from '@parquetry/query'
import { type SecuredTable, spliceRowLevelSecurity } from '@parquetry/sql'
import type { Principal } from '../access/principal.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import type { Namespace } from '../sql-access/table-access.ts'
import { readCached } from '../store/read-cache.ts'
import { loadTableRules } from './load-rules.ts'
import { redactRuleError } from './rule-error.ts'
import { defaultNamespace } from '../connection/table-names.ts'

declare const restricted: unique symbol

/** SQL of a user that contains the row-level security rules of its reader. Only `restrictSql` and `exemptSql` create it. */
export type RestrictedSql = string & { readonly [restricted]: true }

/** SQL, who runs it where, and the meaning of its unqualified names. */
export interface SqlToRestrict extends Namespace {
  sql: string
  source: Source
  database: DatabaseRow
  principal: Principal
  signal: AbortSignal
}

/** Renders the templates in the clause of a rule; unqualified names mean what they mean in the table's schema. */
export type RenderClause = (clause: string, namespace: Namespace) => Promise<string>

/**
 * Replaces tables that have row-level security rules with the rows that the user may see.
 * @throws AppError `sql_not_allowed` when a restricted table is at a position that cannot be replaced; `invalid_query` for a rule
 * that cannot be applied
 */
export async function restrictSql(
  deps: ConnectionDeps,
  { sql, source, database, principal, schema, catalog, signal }: SqlToRestrict,
  render: RenderClause,
): Promise<RestrictedSql> {
  const tables = await loadRestrictedTables(deps, database, principal, render)
  if (tables.length === 0) return exemptSql(sql)
  const { dialect } = engineFor(database)
  const inspection = await deps.runners.inspect(sql, source, signal)
  const usual = defaultNamespace(database)
  const spliced = spliceRowLevelSecurity(sql, inspection, tables, {
    schema: schema ?? usual.schema,
    catalog: catalog ?? usual.catalog,
    dialect: source.engine,
    fence: inlineValues(dialect.fence, dialect),
  })
  return exemptSql(spliced)
}

/** Declares SQL to be restricted without looking at it: call it only where the reason is obvious and stated. */
export const exemptSql = (sql: string): RestrictedSql => sql as RestrictedSql

/** The tables of a database with rules for a user, with the templates in the rules rendered. */
export async function loadRestrictedTables(
  deps: ConnectionDeps,
  database: DatabaseRow,
  principal: Principal,
  render: RenderClause,
): Promise<SecuredTable[]> {
  const found = await readCached(deps.db, principal, JSON.stringify(['table rules', database.id]), () =>
    loadTableRules(deps.db, principal, database),
  )
  const tables: SecuredTable[] = []
  for (const { table, rules } of found) {
    const { catalog, schema, name } = table
    try {
      const rendered: RowLevelSecurityRule[] = []
      for (const { group_key, clause } of rules)
        rendered.push({ group_key, clause: await render(clause, { catalog, schema }) })
      tables.push({ ...table, clause: joinRuleClauses(rendered, database.backend, name) })
    } catch (error) {
      throw redactRuleError(error, principal, database, name)
    }
  }
  return tables
}
