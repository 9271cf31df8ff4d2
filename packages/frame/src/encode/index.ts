import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { Encoding } from '@parquetry/model/plan'
import { encodeMessage } from '../wire/encode.ts'
import { csvEncoder } from './csv.ts'
import type { Encoder } from './encoder.ts'
import { rowsEncoder } from './rows.ts'

export { csvEncoder } from './csv.ts'
export type { EncodedColumn, Encoder } from './encoder.ts'
export { xlsxSheetEncoder, xlsxStyles } from './xlsx-sheet.ts'

/** One message per frame, then a head `end` that stands alone. */
export const framesEncoder = (): Encoder => ({
  start: () => [],
  frame: (frame) => [encodeMessage({ type: 'frame' }, frame)],
  end: () => [encodeMessage({ type: 'end' })],
})

/** @throws AppError `unsupported` for files that are whole before they are sent: a runner writes them */
export function encoderFor(encoding: Encoding): Encoder {
  switch (encoding.as) {
    case 'rows':
      return rowsEncoder(encoding)
    case 'frames':
      return framesEncoder()
    case 'csv':
      return csvEncoder(encoding)
    default:
      throw new AppError('unsupported', {
        message: message('errors.frame.notStreamed', 'Files of this format cannot be streamed. Choose CSV.'),
      })
  }
}
