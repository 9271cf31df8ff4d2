import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { Encoding } from '@parquetry/model/plan'
import { encodeMessage } from '../wire/encode.ts'
import { createCsvEncoder } from './csv.ts'
import type { CheckBytes, Encoder } from './encoder.ts'
import { createRowsEncoder } from './rows.ts'

export { createCsvEncoder } from './csv.ts'
export type { CheckBytes, EncodedColumn, Encoder } from './encoder.ts'
export { formatColumn } from './xlsx-references.ts'
export { createXlsxSheetEncoder, xlsxStyles, type XlsxSheetEncoder, type XlsxSheetOptions } from './xlsx-sheet.ts'

/** Writes one message per frame, then a separate head `end`. */
export function createFramesEncoder(check: CheckBytes = () => {}): Encoder {
  let bytes = 0
  const counted = (message: Uint8Array): Uint8Array[] => {
    check((bytes += message.length))
    return [message]
  }
  return {
    start: () => [],
    frame: (frame) => counted(encodeMessage({ type: 'frame' }, frame)),
    end: () => counted(encodeMessage({ type: 'end' })),
  }
}

/**
 * @param check  ends an encoding that becomes too large, before the rest of it is made
 * @throws AppError `unsupported` for formats that must be complete before they are sent; a runner writes those
 */
export function createEncoder(encoding: Encoding, check?: CheckBytes): Encoder {
  switch (encoding.as) {
    case 'rows':
      return createRowsEncoder(encoding, check)
    case 'frames':
      return createFramesEncoder(check)
    case 'csv':
      return createCsvEncoder(encoding, check)
    default:
      throw new AppError('unsupported', {
        message: message('errors.frame.notStreamed', 'Files of this format cannot be streamed. Choose CSV.'),
      })
  }
}
