import { AppError } from '@parquetry/model/errors'

/** @param named the limit as the user knows it @throws AppError `result_too_large` */
export function checkSize(bytes: number, most: number, named = most): void {
  if (bytes <= most) return
  const size = named < 1 << 20 ? `${named} bytes` : `${Math.floor(named / (1 << 20))} MB`
  throw new AppError('result_too_large', {
    message: `The result is larger than ${size}. Ask for fewer rows or columns.`,
  })
}
