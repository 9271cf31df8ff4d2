import { AppError, message, type Message } from '@parquetry/model'
import { lex } from '@parquetry/model/lex'
import { readQueryContext, readsTable } from '@parquetry/query'
import type { Principal } from '../access/principal.ts'
import { checkExpression, type ExpressionDiagnostic } from '../chart/check-expression.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import type { ResolvedQuery } from '../chart/resolved-query.ts'
import { localizeError } from '../settings/messages.ts'
import { holdsQuery, inspectExpression } from '../sql-access/inspect-expression.ts'
import { canReadAll } from '../sql-access/table-access.ts'
import { unreachable } from '../sql-access/unreachable.ts'
import { ruleRenderer } from '../templates/render-sql.ts'
import { ExampleAttributes, listExampleAttributes } from './example-attributes.ts'

/** Why a table of the rule does not accept the clause. */
export interface ClauseProblem extends ExpressionDiagnostic {
  table: string
}

export interface ClauseCheck {
  problem: ClauseProblem | null
  /** False when a database could not be reached, so that the clause may still be wrong. */
  isComplete: boolean
}

const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' } as const
const noRows = { columns: [], metrics: [count], extras: { where: '1 = 0' } }

/**
 * Runs the clause of a rule on each of its datasets as their reader would, with templates rendered for the caller. Attributes have
 * exactly one value, so that the clause runs whether or not the caller has them.
 */
export async function checkClause(
  deps: ChartDeps,
  principal: Principal,
  datasetIds: readonly number[],
  clause: string,
  signal: AbortSignal,
): Promise<ClauseCheck> {
  const attributes = await listExampleAttributes(deps.db, principal, clause)
  let isComplete = true
  for (const id of datasetIds) {
    // A cached result would say nothing about the database of now.
    const context = readQueryContext({ datasource: { id, type: 'table' }, queries: [noRows], force: true })
    try {
      const resolved = await resolveQuery(context, deps, principal)
      const findProblem = async (given: ExampleAttributes) => {
        const restricted = {
          ...resolved,
          principal: { ...principal, attributes: given },
          rlsRules: [{ group_key: null, clause }],
        }
        return (
          (await findForbidden(restricted, clause, signal)) ??
          (await checkExpression(restricted, context.queries[0]!, clause, signal))[0]
        )
      }
      const [first, ...others] = attributes
      let problem = await findProblem(first)
      for (const other of others) {
        if (!problem || !first.hasMadeUp) break
        if (!(await findProblem(other))) problem = undefined
      }
      if (problem) return { problem: { table: resolved.dataset.table_name, ...problem }, isComplete }
    } catch (error) {
      if (!(error instanceof AppError && unreachable.has(error.code))) throw error
      isComplete = false
    }
  }
  return { problem: null, isComplete }
}

/**
 * Finds what a rule must not contain although its tables may accept it: more than a condition, and sub-queries of users who may not
 * read the whole database, since the rows that a rule shows would reveal what other tables contain. Mistakes of templates are
 * found when the clause runs.
 */
async function findForbidden(
  { deps, dataset, database, source, principal }: ResolvedQuery,
  clause: string,
  signal: AbortSignal,
): Promise<ExpressionDiagnostic | undefined> {
  const refuse = (reason: Message): ExpressionDiagnostic => ({
    line_number: null,
    start_column: null,
    end_column: null,
    message: localizeError(new AppError('invalid_query', { message: reason }), deps.settings).message,
  })
  const { catalog, schema } = dataset
  const text = await ruleRenderer(deps, principal, database)(clause, { catalog, schema }).catch(() => undefined)
  if (text === undefined) return undefined
  if (lex(text, source.engine).some(({ kind }) => kind === 'comment' || kind === 'semicolon'))
    return refuse(message('errors.rule.moreThanCondition', 'Write one condition, without semicolons and comments.'))
  if (canReadAll(principal, database)) return undefined
  const inspected = await inspectExpression(deps, source, text, signal)
  return readsTable(text, source.engine) || inspected.some(({ statement }) => holdsQuery(statement))
    ? refuse(
        message(
          'errors.rule.subquery',
          'Sub-queries are allowed only to users who can read the whole database. Ask an administrator to save this rule.',
        ),
      )
    : undefined
}

/** The problem as an error of the field `clause`. */
export const toFieldMessage = ({ table, line_number, start_column, message: problem }: ClauseProblem): Message =>
  line_number === null || start_column === null
    ? message('errors.rule.clause', 'The clause is not valid for the table "{table}": {problem}', { table, problem })
    : message(
        'errors.rule.clauseAt',
        'The clause is not valid for the table "{table}" (line {line}, column {column}): {problem}',
        { table, problem, line: line_number, column: start_column },
      )
