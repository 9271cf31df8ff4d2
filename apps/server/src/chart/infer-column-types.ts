import { AppError, type DescribeResult, type DescribedColumn, type QueryObject } from '@parquetry/model'
import { readQueryContext } from '@parquetry/query'
import type { Principal } from '../access/principal.ts'
import { type ColumnRow, readDataset, type StoredDataset } from '../dataset/stored-dataset.ts'
import { readDatasetDocument } from '../dataset/save-dataset.ts'
import { amendNewest } from '../store/write.ts'
import type { ChartDeps } from './deps.ts'
import { resolveQuery } from './resolve-query.ts'
import type { ResolvedQuery } from './resolved-query.ts'
import { planQuery } from './run-query.ts'

interface InferenceContext {
  deps: ChartDeps
  principal: Principal
  signal: AbortSignal
}

/** Maximum delay of a save, because the user did not request the types. */
const timeoutMs = 5000

/**
 * Returns the types of expressions over a dataset as reported by its engine, without reading rows; undefined when one cannot be
 * determined.
 */
async function fetchExpressionTypes(
  resolved: ResolvedQuery,
  expressions: readonly string[],
  signal: AbortSignal,
): Promise<(DescribedColumn | undefined)[]> {
  if (expressions.length === 0) return []
  const columns = expressions.map((sqlExpression, index) => ({
    expressionType: 'SQL' as const,
    sqlExpression,
    label: `c${index}`,
  }))
  const query: QueryObject = { columns, metrics: [], extras: { where: '1 = 0' } }
  try {
    const { plan } = await planQuery(resolved, query, { as: 'rows', times: 'ms' }, 'results', signal)
    const [statement] = plan.statements
    if (!statement || statement.values.length > 0) return expressions.map(() => undefined)
    const request = { what: 'columns', sql: statement.text } as const
    const found = await resolved.deps.runners.describe(resolved.source, request, signal)
    const describedColumns = (found as Extract<DescribeResult, { what: 'columns' }>).columns
    return expressions.map((_, index) => describedColumns[index])
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (expressions.length === 1 || error.status >= 500 || signal.aborted) return expressions.map(() => undefined)
    const results = await Promise.all(expressions.map((each) => fetchExpressionTypes(resolved, [each], signal)))
    return results.flat()
  }
}

interface UntypedColumn {
  column: ColumnRow
  expression: string
  /** Expression that the current type may have been learned from, else null. */
  previousExpression: string | null
}

/** Returns the previous expression if it changed while the type did not: the type may belong to that expression. */
const findPreviousExpression = (
  before: StoredDataset | undefined,
  { id, type, expression }: ColumnRow,
): string | null => {
  const previous = before?.columns.find((column) => column.id === id)
  const isSame = previous?.type === type && previous.expression !== expression
  return isSame ? previous.expression : null
}

/**
 * Sets the types of calculated columns without one as reported by the engine, because Explore would treat their numbers as text.
 * Types set by users are unchanged; learned ones follow their expression. Types that cannot be determined now are learned at the
 * next save or sync.
 * @param before  the dataset before the save
 */
export async function inferColumnTypes(
  { deps, principal, signal }: InferenceContext,
  id: number,
  before?: StoredDataset,
): Promise<void> {
  const { columns = [] } = (await readDataset(deps.db, id)) ?? {}
  const untyped = columns.flatMap((column): UntypedColumn[] => {
    const { expression } = column
    if (!expression) return []
    if (!column.type) return [{ column, expression, previousExpression: null }]
    const previousExpression = findPreviousExpression(before, column)
    return previousExpression ? [{ column, expression, previousExpression: previousExpression }] : []
  })
  if (untyped.length === 0) return
  const context = readQueryContext({ datasource: { id, type: 'table' }, queries: [{ columns: [], metrics: [] }] })
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const resolved = await resolveQuery(context, deps, principal).catch(() => undefined)
  if (!resolved) return
  const [types, olderTypes] = await Promise.all([
    fetchExpressionTypes(
      resolved,
      untyped.map(({ expression }) => expression),
      deadline,
    ),
    fetchExpressionTypes(
      resolved,
      untyped.flatMap(({ previousExpression }) => previousExpression ?? []),
      deadline,
    ),
  ])
  const learned = untyped.flatMap(({ column, previousExpression }, index) => {
    const found = types[index]
    const wasLearned = previousExpression === null || olderTypes.shift()?.type === column.type
    return found?.type && wasLearned ? [{ column, found }] : []
  })
  if (learned.length === 0) return
  await deps.db.transaction().execute(async (trx) => {
    for (const { column, found } of learned)
      await trx
        .updateTable('dataset_column')
        .set({ type: found.type, type_generic: found.generic })
        .where('id', '=', column.id)
        .where('expression', '=', column.expression)
        .execute()
    const document = (await readDatasetDocument(trx, id)) as { uuid: string } | null
    if (document) await amendNewest(trx, { kind: 'dataset', uuid: document.uuid }, document)
  })
}
