import type { Source } from '@parquetry/model'
import { inlineValues, joinRuleClauses, type RowLevelSecurityRule } from '@parquetry/query'
import { type RestrictedTable, spliceRowLevelSecurity } from '@parquetry/sql'
import type { Principal } from '../access/principal.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import type { Namespace } from '../sql-access/table-access.ts'
import { readCached } from '../store/read-cache.ts'
import { loadTableRules, type TableRules } from './load-rules.ts'
import { hideRowsWithoutAttribute } from './missing-attribute.ts'
import { redactRuleError } from './rule-error.ts'
import { defaultNamespace } from '../connection/table-names.ts'

declare const restricted: unique symbol

/**
 * SQL of a user that contains the row-level security rules of its reader or is exempt from them. Only `restrictSql` and
 * `exemptSql` create it.
 */
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
  if (tables.length === 0) return markRestricted(sql)
  const { dialect } = engineFor(database)
  const inspection = await deps.runners.inspect(sql, source, signal)
  const usual = defaultNamespace(database)
  const spliced = spliceRowLevelSecurity(sql, inspection, tables, {
    schema: schema ?? usual.schema,
    catalog: catalog ?? usual.catalog,
    dialect: source.engine,
    fence: inlineValues(dialect.fence, dialect),
  })
  return markRestricted(spliced)
}

const markRestricted = (sql: string): RestrictedSql => sql as RestrictedSql

/** Accepts SQL without inspecting it. Callers must state why no rules apply or why the SQL already contains them. */
export const exemptSql = (sql: string): RestrictedSql => markRestricted(sql)

/** As `loadTableRules`, read once until the metadata store changes. */
export const loadTableRulesOnce = (
  { db }: Pick<ConnectionDeps, 'db'>,
  database: DatabaseRow,
  principal: Principal,
): Promise<TableRules[]> =>
  readCached(db, principal, JSON.stringify(['table rules', database.id]), () => loadTableRules(db, principal, database))

/** The tables of a database with rules for a user, with the templates in the rules rendered. */
export async function loadRestrictedTables(
  deps: ConnectionDeps,
  database: DatabaseRow,
  principal: Principal,
  render: RenderClause,
): Promise<RestrictedTable[]> {
  const found = await loadTableRulesOnce(deps, database, principal)
  const tables: RestrictedTable[] = []
  for (const { table, rules } of found) {
    const { catalog, schema, name } = table
    try {
      const rendered: RowLevelSecurityRule[] = []
      for (const rule of rules) {
        const clause = await render(rule.clause, { catalog, schema }).catch((error: unknown) =>
          hideRowsWithoutAttribute(deps, error, principal, rule),
        )
        rendered.push({ group_key: rule.group_key, clause })
      }
      tables.push({ ...table, clause: joinRuleClauses(rendered, database.backend, name) })
    } catch (error) {
      throw redactRuleError(error, principal, database, name)
    }
  }
  return tables
}
