import { AppError, message, databaseMessageCodes } from '@parquetry/model'
import type { Principal } from '../access/principal.ts'
import { canReadAll } from './table-access.ts'

/**
 * What a database or its connection says, as somebody may read it. A database speaks of all that stands in a statement (row rules,
 * a dataset's own SQL, columns beside it, values of rows that a rule holds back) and its connection of hosts and accounts, so their
 * words are for who may read all of the database. Others are told which kind of failure it was; the cause is what was said.
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
