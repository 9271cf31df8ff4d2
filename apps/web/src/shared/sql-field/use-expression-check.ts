import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useDebounced } from '../use-debounced.ts'
import { toTextRanges, type ValidationIssue, type TextRange } from './text-ranges.ts'

/** SQL that somebody types into a question. */
export interface TypedExpression {
  kind: 'metric' | 'column' | 'where' | 'having'
  /** As it was typed: places are those of this text. */
  sql: string
}

/** What is wrong with a text, and where. */
export interface SqlProblem {
  message: string
  ranges: TextRange[]
}

const debounceMs = 600

/** Null where a check found nothing. */
export const toSqlProblem = (text: string, checked: readonly ValidationIssue[]): SqlProblem | null =>
  checked.length === 0
    ? null
    : { message: checked.map(({ message }) => message).join('\n'), ranges: toTextRanges(text, checked) }

/**
 * What the database says against an expression, null while it says nothing: once nothing was typed for a moment, and without
 * reading a row. Who may not ask, or is not answered, may save nevertheless: the chart will say it.
 */
export function useExpressionCheck(
  { id, type }: { id: number; type: string },
  expression: TypedExpression | null,
): SqlProblem | null {
  const typed = expression?.sql.trim() ? JSON.stringify(expression) : ''
  const asked = useDebounced(typed, debounceMs)
  const { data } = useQuery({
    queryKey: ['expression-check', type, id, asked],
    queryFn: async ({ signal }) => {
      const { kind, sql } = JSON.parse(asked) as TypedExpression
      const { result } = await api.post('/api/v1/datasource/:type/:id/validate_expression/', {
        params: { type, id },
        body: { expression: sql, expression_type: kind },
        signal,
      })
      return toSqlProblem(sql, result)
    },
    enabled: typed !== '' && asked === typed,
    staleTime: Infinity,
    retry: false,
  })
  return asked === typed ? (data ?? null) : null
}
