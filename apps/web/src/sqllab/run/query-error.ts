import { ApiError } from '@parquetry/client'
import type { QueryError } from '../state.ts'

/** The error of a run; its place is what the first of the errors tells. */
export function queryError(message: string, errors: QueryError['errors'], link: string | null = null): QueryError {
  const offset = errors[0]?.extra?.['offset']
  return { message, link: link || null, errors, offset: typeof offset === 'number' ? offset : null }
}

/** SQL-059, SQL-113: message, link and errors of a run that failed. */
export function readQueryError(error: unknown, unknown: string): QueryError {
  const message = (error instanceof Error ? error.message : String(error ?? '')) || unknown
  return error instanceof ApiError ? queryError(message, error.errors, error.accessHref) : queryError(message, [])
}

/** Ours: the browser had no network, so the server never heard of the run. */
const offlineType = 'OFFLINE'

export const offlineError = (message: string): QueryError =>
  queryError(message, [{ message, error_type: offlineType, level: 'error', extra: null }])

export const isOfflineError = ({ errors }: QueryError): boolean => errors[0]?.error_type === offlineType
