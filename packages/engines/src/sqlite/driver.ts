import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { Driver } from '../shared/driver.ts'
import type { CheckedFile } from './reader.ts'
import { SqliteSession } from './session.ts'

/** Opens `file` of the settings, which the server has checked; a path alone is not sufficient. It never writes. */
export const sqliteDriver: Driver = {
  async open(settings, { timeoutMs }) {
    const { file } = settings as { file?: CheckedFile }
    if (!file)
      throw new AppError('connection_missing', {
        message: message('errors.engines.fileNotChecked', 'The file of this database has not been checked.'),
      })
    return SqliteSession.open(file, timeoutMs)
  },
}
