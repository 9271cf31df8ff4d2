import { AppError, message, databaseMessageCodes } from '@parquetry/model'
import type { Principal } from '../access/principal.ts'
import { canReadAll } from './table-access.ts'

/**
 * Redacts an error of a database or its connection for a user. Databases report everything in a statement (row-level security
 * rules, a dataset's own SQL, other columns, values of hidden rows) and connections report hosts and accounts, so only users who
 * may read the whole database see their messages. Others see the kind of failure, with the original error as its cause.
 */
export function redactDatabaseError(
  error: unknown,
  principal: Principal,
  database: { id: number; database_name: string },
): unknown {
  if (!(error instanceof AppError) || canReadAll(principal, database)) return error
  const { code, status } = error
  if (databaseMessageCodes.has(code)) return new AppError(code, { status, cause: error })
  if (code.startsWith('connection_'))
    return new AppError('connection_failed', {
      message: message(
        'errors.sqlAccess.unreachable',
        'Could not reach the database. Try again later, or contact an administrator.',
      ),
      status,
      cause: error,
    })
  return error
}
