import type { Session } from '@parquetry/engines/drivers'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'

/**
 * Wraps a session of statements over these tables: the error for a file that proves to be damaged while reading names its table.
 */
export const withTableNames = (session: Session, tables: readonly string[]): Session => ({
  async *run(statement, limits) {
    try {
      yield* session.run(statement, limits)
    } catch (error) {
      throw nameTables(error, tables)
    }
  },
  ...(session.createTempTable && {
    createTempTable: (table, limits) =>
      session.createTempTable!(table, limits).catch((error: unknown) => {
        throw nameTables(error, tables)
      }),
  }),
  cancel: () => session.cancel(),
  describe: (request) => session.describe(request),
  close: () => session.close(),
})

/** The engine reports the byte of a file, but not which file. */
function nameTables(error: unknown, tables: readonly string[]): unknown {
  if (!(error instanceof AppError) || error.code !== 'table_damaged' || tables.length === 0) return error
  const names = tables.map((name) => `"${name}"`).join(', ')
  return error.wrap({
    message:
      tables.length === 1
        ? message(
            'errors.runner.tableDamaged',
            'The file of table {names} is damaged. Upload the table again or have it restored from a backup. Other tables are not affected.',
            { names },
          )
        : message(
            'errors.runner.tablesDamaged',
            'The file of one of the tables {names} is damaged. Upload the table again or have it restored from a backup. Other tables are not affected.',
            { names },
          ),
    details: { tables },
  })
}
