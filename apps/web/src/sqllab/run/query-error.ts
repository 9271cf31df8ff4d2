import { ApiError } from '@parquetry/client'
import type { QueryError } from '../state.ts'

/** Builds the error of a run; the first of the errors provides its location. */
export function queryError(message: string, errors: QueryError['errors'], link: string | null = null): QueryError {
  const offset = errors[0]?.extra?.['offset']
  return { message, link: link || null, errors, offset: typeof offset === 'number' ? offset : null }
}

/** SQL-059, SQL-113: reads message, link and errors of a failed run. */
export function readQueryError(error: unknown, unknown: string): QueryError {
  const message = (error instanceof Error ? error.message : String(error ?? '')) || unknown
  return error instanceof ApiError ? queryError(message, error.errors, error.accessHref) : queryError(message, [])
}

/** Client-side error type: without a network, the server never received the run. */
const offlineType = 'OFFLINE'

export const offlineError = (message: string): QueryError =>
  queryError(message, [{ message, error_type: offlineType, level: 'error', extra: null }])

export const isOfflineError = ({ errors }: QueryError): boolean => errors[0]?.error_type === offlineType
