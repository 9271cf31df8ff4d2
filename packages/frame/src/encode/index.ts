import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { Encoding } from '@parquetry/model/plan'
import { encodeMessage } from '../wire/encode.ts'
import { createCsvEncoder } from './csv.ts'
import type { Encoder } from './encoder.ts'
import { createRowsEncoder } from './rows.ts'

export { createCsvEncoder } from './csv.ts'
export type { EncodedColumn, Encoder } from './encoder.ts'
export { createXlsxSheetEncoder, xlsxStyles } from './xlsx-sheet.ts'

/** One message per frame, then a head `end` that stands alone. */
export const createFramesEncoder = (): Encoder => ({
  start: () => [],
  frame: (frame) => [encodeMessage({ type: 'frame' }, frame)],
  end: () => [encodeMessage({ type: 'end' })],
})

/** @throws AppError `unsupported` for files that are whole before they are sent: a runner writes them */
export function createEncoder(encoding: Encoding): Encoder {
  switch (encoding.as) {
    case 'rows':
      return createRowsEncoder(encoding)
    case 'frames':
      return createFramesEncoder()
    case 'csv':
      return createCsvEncoder(encoding)
    default:
      throw new AppError('unsupported', {
        message: message('errors.frame.notStreamed', 'Files of this format cannot be streamed. Choose CSV.'),
      })
  }
}
