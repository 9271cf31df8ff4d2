import { AppError, type PlannerDataset, type QueryObject } from '@parquetry/model'
import { checkQuery } from './check-query.ts'
import { findClauseProblem } from './sql/check-sql-text.ts'

/** Row-level security rule that applies to the current user and dataset. Its templates must be rendered before `restrict`. */
export interface RowLevelSecurityRule {
  /** Rules of one group are joined with OR; null forms its own group. */
  group_key: string | null
  clause: string
}

const rlsRules: unique symbol = Symbol('row rules')

/**
 * Validated query object with the row-level security rules of its user. Only `restrict` creates it, so that no path to data
 * bypasses the rules.
 */
export type RestrictedQuery = QueryObject & { readonly [rlsRules]: readonly RowLevelSecurityRule[] }

/**
 * Restricts a query to what the user may read.
 * @throws AppError `invalid_query` when the query fails validation (`checkQuery`) or a row-level security rule is not a closed
 * expression
 */
export function restrict(
  query: QueryObject,
  dataset: PlannerDataset,
  rights: { rlsRules: readonly RowLevelSecurityRule[] },
): RestrictedQuery {
  checkQuery(query, dataset.engine)
  for (const { clause } of rights.rlsRules) {
    const problem = findClauseProblem(clause, dataset.engine)
    if (problem) {
      const message = `Error: A row-level security rule on ${dataset.table_name} could not be applied: ${problem}`
      throw new AppError('invalid_query', { message })
    }
  }
  return { ...query, [rlsRules]: rights.rlsRules }
}

/** Rules by group: clauses of an inner list are joined with OR, the lists with AND. */
export function groupRlsClauses(query: RestrictedQuery): string[][] {
  const groups = new Map<string | symbol, string[]>()
  for (const { group_key, clause } of query[rlsRules]) {
    const key = group_key || Symbol('alone')
    groups.set(key, [...(groups.get(key) ?? []), clause])
  }
  return [...groups.values()]
}
