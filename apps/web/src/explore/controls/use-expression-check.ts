import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { useDebounced } from '../../shared/use-debounced.ts'
import type { ExploreDataset } from '../use-explore.ts'

/** SQL that somebody types into a question. */
export interface TypedExpression {
  kind: 'metric' | 'column' | 'where' | 'having'
  sql: string
}

const patienceMs = 600

/**
 * What the database says against an expression, null while it says nothing: once nothing was typed for a moment, and without
 * reading a row. Who may not ask, or is not answered, may save nevertheless: the chart will say it.
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
      const { kind, sql } = JSON.parse(asked) as TypedExpression
      const { result } = await api.post('/api/v1/datasource/:type/:id/validate_expression/', {
        params: { type, id },
        body: { expression: sql, expression_type: kind },
        signal,
      })
      return result.map(({ message }) => message).join('\n') || null
    },
    enabled: expression !== null && asked === typed,
    staleTime: Infinity,
    retry: false,
  })
  return asked === typed ? (data ?? null) : null
}
