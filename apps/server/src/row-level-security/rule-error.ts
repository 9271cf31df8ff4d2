import { AppError, message } from '@parquetry/model'
import type { Principal } from '../access/principal.ts'
import type { DatabaseRow } from '../connection/source.ts'
import { canReadAll } from '../sql-access/table-access.ts'

/** Errors of a rule contain its text, so they are shown only to users who may read the table unrestricted. */
export const redactRuleError = (error: unknown, principal: Principal, database: DatabaseRow, table: string): unknown =>
  canReadAll(principal, database) || !(error instanceof AppError)
    ? error
    : new AppError(error.code, {
        message: message(
          'errors.chart.rowRuleFailed',
          'Error: A row-level security rule on {table} could not be applied. Contact an administrator.',
          { table },
        ),
        cause: error,
      })
