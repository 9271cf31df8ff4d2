import { useQuery } from '@tanstack/react-query'
import { queryTexts } from '../use-behind.ts'
import { useDebounced } from '../../shared/use-debounced.ts'
import type { ExploreDataset } from '../use-explore.ts'

/** SQL that somebody types into a question. */
export type TypedExpression =
  | { kind: 'metric' | 'column'; sql: string }
  | { kind: 'filter'; sql: string; clause: 'WHERE' | 'HAVING' }

const patienceMs = 600

/**
 * Why the server would not ask by an expression, null while it may: read by the engine's own parser and judged as in a question,
 * without asking the database.
 */
export function useExpressionCheck(
  { id, type }: Pick<ExploreDataset, 'id' | 'type'>,
  expression: TypedExpression | null,
): string | null {
  const typed = JSON.stringify(expression)
  const asked = useDebounced(typed, patienceMs)
  const { data } = useQuery({
    queryKey: ['expression-check', type, id, asked],
    queryFn: async ({ signal }) => {
      const each = JSON.parse(asked) as TypedExpression
      const label = 'expression'
      const own = { expressionType: 'SQL' as const, sqlExpression: each.sql, label }
      const query = {
        columns: each.kind === 'column' ? [own] : [],
        metrics: each.kind === 'metric' ? [own] : each.kind === 'filter' ? [countOfRows] : [],
        ...(each.kind === 'filter' && {
          extras: { [each.clause === 'HAVING' ? 'having' : 'where']: `(${each.sql}\n)` },
        }),
        row_limit: 1,
      }
      try {
        await queryTexts({ datasource: { id, type }, queries: [query] } as never, signal)
        return null
      } catch (error) {
        if (signal.aborted) throw error
        return messageOfRefusal(error)
      }
    },
    enabled: expression !== null && asked === typed,
    staleTime: Infinity,
    retry: false,
  })
  return asked === typed ? (data ?? null) : null
}

const countOfRows = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'count' }

/** Only what the expression itself is to blame for: a server that is not reached says nothing of it. */
function messageOfRefusal(error: unknown): string | null {
  const status = (error as { status?: number }).status ?? 0
  return status === 400 || status === 422 ? (error as Error).message : null
}
