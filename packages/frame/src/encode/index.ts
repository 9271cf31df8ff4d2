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

/** Writes one message per frame, then a separate head `end`. */
export const createFramesEncoder = (): Encoder => ({
  start: () => [],
  frame: (frame) => [encodeMessage({ type: 'frame' }, frame)],
  end: () => [encodeMessage({ type: 'end' })],
})

/** @throws AppError `unsupported` for formats that must be complete before they are sent; a runner writes those */
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
