import { AppError, message } from '@parquetry/model'
import pg from 'pg'
import { asFileFailure } from './failure.ts'

/** SQLSTATEs: connection exceptions, shutdown, too many connections, canceled by a limit, read-only server. */
const unavailableStates = /^(08...|57P..|53300|57014|25006)$/

/** True when the connection cannot be used any longer: for all errors but those of the server about a statement. */
export const breaksConnection = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || unavailableStates.test(error.code ?? '')

/** Converts an error of the client for callers; errors of the server about a statement stay as they are. */
export function translateError(cause: unknown): unknown {
  if (cause instanceof AppError) return cause
  return asFileFailure(cause) ?? (breaksConnection(cause) ? storeUnavailable(cause) : cause)
}

export const storeUnavailable = (cause: unknown): AppError =>
  new AppError('unavailable', {
    message: message('errors.store.notResponding', 'The metadata store is not responding. Try again.'),
    cause,
  })
