import { AppError, type PlannerDataset, type QueryObject } from '@parquetry/model'
import { checkQuery } from './check-query.ts'
import { findClauseProblem } from './sql/check-sql-text.ts'

/** A row-level rule that holds for the user and the dataset at hand; templates already rendered. */
export interface RowLevelSecurityRule {
  /** Rules of one group are joined with OR; null stands alone. */
  group_key: string | null
  clause: string
}

const rlsRules: unique symbol = Symbol('row rules')

/** A checked query object with the row rules of its user; only `restrict` makes one, so that no way to data goes around them. */
export type RestrictedQuery = QueryObject & { readonly [rlsRules]: readonly RowLevelSecurityRule[] }

/**
 * The question as this user may ask it.
 * @throws AppError `invalid_query`: the query fails its own checks (`checkQuery`), or a row rule is no closed expression
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

/** The rules by group: each inner list is joined with OR, the whole with AND. */
export function groupRlsClauses(query: RestrictedQuery): string[][] {
  const groups = new Map<string | symbol, string[]>()
  for (const { group_key, clause } of query[rlsRules]) {
    const key = group_key || Symbol('alone')
    groups.set(key, [...(groups.get(key) ?? []), clause])
  }
  return [...groups.values()]
}
