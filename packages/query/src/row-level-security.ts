import { AppError, message, type PlannerDataset, type QueryObject } from '@parquetry/model'
import { checkQuery } from './check-query.ts'
import { findClauseProblem } from './sql/check-sql-text.ts'

/** Row-level security rule that applies to the current user on a table or dataset. */
export interface RowLevelSecurityRule {
  /** Rules of one group are joined with OR; null and '' form a group of their own. */
  group_key: string | null
  /** SQL condition that visible rows meet, possibly with templates. */
  clause: string
}

const validated: unique symbol = Symbol('validated rules')

/** Rules whose clauses cannot leave the parentheses around them. Only `validateRules` creates them. */
interface ValidatedRules {
  readonly [validated]: readonly RowLevelSecurityRule[]
}

function validateRules(rules: readonly RowLevelSecurityRule[], dialect: string, table: string): ValidatedRules {
  for (const { clause } of rules) {
    const problem = findClauseProblem(clause, dialect)
    if (problem)
      throw new AppError('invalid_query', {
        message: message(
          'errors.query.invalidRule',
          'Error: A row-level security rule on {table} could not be applied: {problem}',
          { table, problem },
        ),
      })
  }
  return { [validated]: rules }
}

function groupClauses({ [validated]: rules }: ValidatedRules): string[][] {
  const groups = new Map<string | symbol, string[]>()
  for (const { group_key, clause } of rules) {
    const key = group_key || Symbol('alone')
    groups.set(key, [...(groups.get(key) ?? []), clause])
  }
  return [...groups.values()]
}

/**
 * The rules as one condition for SQL text: groups and single rules are joined with AND.
 * @param rules   with rendered templates
 * @param dialect name of the engine that will read the clauses
 * @param table   name for the error
 * @throws AppError `invalid_query` when a clause is not a closed expression
 */
export const joinRuleClauses = (rules: readonly RowLevelSecurityRule[], dialect: string, table: string): string =>
  groupClauses(validateRules(rules, dialect, table))
    .map((group) => `(${group.map((clause) => `(${clause}\n)`).join(' OR ')})`)
    .join(' AND ')

const rlsRules: unique symbol = Symbol('row-level security rules')

/**
 * Validated query object with the row-level security rules of its user. Only `restrict` creates it, so that no path to data
 * bypasses the rules.
 */
export type RestrictedQuery = QueryObject & { readonly [rlsRules]: ValidatedRules }

/**
 * Restricts a query to what the user may read.
 * @param rlsRules with rendered templates
 * @throws AppError `invalid_query` when the query fails validation (`checkQuery`) or a rule is not a closed expression
 */
export function restrict(
  query: QueryObject,
  dataset: PlannerDataset,
  { rlsRules: rules }: { rlsRules: readonly RowLevelSecurityRule[] },
): RestrictedQuery {
  checkQuery(query, dataset.engine)
  return { ...query, [rlsRules]: validateRules(rules, dataset.engine, dataset.table_name) }
}

/** Rules by group: clauses of an inner list are joined with OR, the lists with AND. */
export const groupRlsClauses = (query: RestrictedQuery): string[][] => groupClauses(query[rlsRules])
