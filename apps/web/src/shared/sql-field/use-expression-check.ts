import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useDebounced } from '../use-debounced.ts'
import { toTextRanges, type ValidationIssue, type TextRange } from './text-ranges.ts'

/** A custom SQL expression of a query. */
export interface TypedExpression {
  kind: 'metric' | 'column' | 'where' | 'having'
  /** Text as typed; the ranges of a problem refer to it. */
  sql: string
}

/** An error in a text, with the ranges to underline. */
export interface SqlProblem {
  message: string
  ranges: TextRange[]
}

const debounceMs = 600

/** Combines the issues that a check of a text found; null if there are none. */
export const toSqlProblem = (text: string, issues: readonly ValidationIssue[]): SqlProblem | null =>
  issues.length === 0
    ? null
    : { message: issues.map(({ message }) => message).join('\n'), ranges: toTextRanges(text, issues) }

/** Returns the database's error for an expression, or null. It reads no row. @throws ApiError when it cannot be checked */
export async function checkExpression(
  { id, type }: { id: number; type: string },
  { kind, sql }: TypedExpression,
  signal: AbortSignal,
): Promise<SqlProblem | null> {
  const { result } = await api.post('/api/v1/datasource/:type/:id/validate_expression/', {
    params: { type, id },
    body: { expression: sql, expression_type: kind },
    signal,
  })
  return toSqlProblem(sql, result)
}

/**
 * Returns the database's error for an expression, or null: checked after a pause in typing, without reading a row. Users who may
 * not check, or get no response, may still save: the chart then shows the error.
 */
export function useExpressionCheck(
  { id, type }: { id: number; type: string },
  expression: TypedExpression | null,
): SqlProblem | null {
  const typed = expression?.sql.trim() ? JSON.stringify(expression) : ''
  const debounced = useDebounced(typed, debounceMs)
  const { data } = useQuery({
    queryKey: ['expression-check', type, id, debounced],
    queryFn: ({ signal }) => checkExpression({ id, type }, JSON.parse(debounced) as TypedExpression, signal),
    enabled: typed !== '' && debounced === typed,
    staleTime: Infinity,
    retry: false,
  })
  return debounced === typed ? (data ?? null) : null
}
