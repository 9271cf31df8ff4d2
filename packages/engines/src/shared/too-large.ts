import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'

export const cellTooLarge = (column: string, cellBytes: number): AppError =>
  new AppError('result_too_large', {
    message: message(
      'errors.engines.cellTooLarge',
      'A value in column "{column}" is larger than {kb, number} KB. Shorten it in the query.',
      { column, kb: Math.floor(cellBytes / 1024) },
    ),
    details: { column },
  })

/** @param bytes maximum size of a response */
export const resultTooLarge = (bytes: number): AppError =>
  new AppError('result_too_large', {
    message:
      bytes < 1 << 20
        ? message(
            'errors.engines.resultBytes',
            'The result is larger than {bytes, number} bytes. Request fewer rows or columns.',
            { bytes },
          )
        : message(
            'errors.engines.resultMb',
            'The result is larger than {mb, number} MB. Request fewer rows or columns.',
            { mb: Math.floor(bytes / (1 << 20)) },
          ),
  })
