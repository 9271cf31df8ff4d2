import { AppError, message } from '@parquetry/model'
import { maxNameLength } from '@parquetry/model/table-file/names'

/**
 * The rule for names of new tables, from files and from queries. A dot would read as the end of a schema.
 * @throws AppError `unprocessable`
 */
export function checkNewTableName(name: string): void {
  if (name !== '' && name.length <= maxNameLength && name.trim() === name && !/[.\p{C}\p{Zl}\p{Zp}]/u.test(name)) return
  throw new AppError('unprocessable', {
    message: message(
      'errors.connection.newTableName',
      'Table names have 1 to {max, number} characters. They cannot contain dots, line breaks, control characters or invisible characters, or start or end with a space.',
      { max: maxNameLength },
    ),
  })
}
