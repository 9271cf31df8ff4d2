import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'

/** @param named limit to show to the user @throws AppError `result_too_large` */
export function checkSize(bytes: number, maxBytes: number, named = maxBytes): void {
  if (bytes <= maxBytes) return
  throw new AppError('result_too_large', {
    message:
      named < 1 << 20
        ? message(
            'errors.engines.resultBytes',
            'The result is larger than {bytes, number} bytes. Request fewer rows or columns.',
            { bytes: named },
          )
        : message(
            'errors.engines.resultMb',
            'The result is larger than {mb, number} MB. Request fewer rows or columns.',
            { mb: Math.floor(named / (1 << 20)) },
          ),
  })
}
