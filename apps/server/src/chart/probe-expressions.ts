import { AppError, refusalCodes, type QueryObject } from '@parquetry/model'
import { planProbes, type PlanContext } from '@parquetry/query'
import { runPlan, type ResolvedQuery } from './resolved-query.ts'

const isTransient = ({ code }: AppError): boolean => code === 'query_stopped' || refusalCodes.has(code)

/** Queries the database for the types of a query's ad-hoc expressions; most queries have none, so nothing runs. */
export async function probeExpressions(
  resolved: ResolvedQuery,
  query: QueryObject,
  context: PlanContext,
  signal: AbortSignal,
): Promise<NonNullable<PlanContext['expressions']>> {
  const probes = planProbes(query, resolved.dataset, context).map(async ({ expression, plan }) => {
    try {
      const { header } = await runPlan(resolved, plan, signal)
      return [expression, header.columns[0]?.kind === 'time' ? 'time' : 'other'] as const
    } catch (error) {
      if (error instanceof AppError && error.status < 500 && !isTransient(error))
        return [expression, 'invalid'] as const
      throw error
    }
  })
  return new Map(await Promise.all(probes))
}
