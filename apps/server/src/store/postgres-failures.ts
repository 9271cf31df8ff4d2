import { AppError, message } from '@parquetry/model'
import pg from 'pg'
import { asDiskFull } from './failure.ts'

/** SQLSTATEs: connection exceptions, being shut down, no place for another client, cancelled by a limit, a server that only reads. */
const unavailableStates = /^(08...|57P..|53300|57014|25006)$/

/** Whether the connection is of no use any more: everything but a word of the server about a statement. */
export const breaksConnection = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || unavailableStates.test(error.code ?? '')

/** What an error of the client is to callers; what the server says about a statement stays as it is. */
export function translateError(cause: unknown): unknown {
  if (cause instanceof AppError) return cause
  return asDiskFull(cause) ?? (breaksConnection(cause) ? storeUnavailable(cause) : cause)
}

export const storeUnavailable = (cause: unknown): AppError =>
  new AppError('unavailable', {
    message: message('errors.store.notResponding', 'The metadata store is not responding. Try again.'),
    cause,
  })
