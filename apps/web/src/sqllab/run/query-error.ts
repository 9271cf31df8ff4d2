import { ApiError } from '../../shared/errors.ts'
import type { QueryError } from '../state.ts'

/** SQL-059, SQL-113: message, link and errors of a run that failed. */
export function readQueryError(error: unknown, unknown: string): QueryError {
  const errors = error instanceof ApiError ? error.errors : []
  const extra = errors[0]?.extra ?? {}
  const number = (name: string): number | null => (typeof extra[name] === 'number' ? extra[name] : null)
  return {
    message: (error instanceof Error ? error.message : String(error ?? '')) || unknown,
    link: (error instanceof ApiError && error.accessHref) || null,
    errors,
    offset: number('offset'),
    line: number('line'),
    column: number('column'),
  }
}
