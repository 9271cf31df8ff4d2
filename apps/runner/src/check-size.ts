import { AppError } from '@parquetry/model'

/** @throws AppError `result_too_large` */
export function checkSize(bytes: number, most: number): void {
  if (bytes <= most) return
  const size = most < 1 << 20 ? `${most} bytes` : `${Math.floor(most / (1 << 20))} MB`
  throw new AppError('result_too_large', {
    message: `The result is larger than ${size}. Ask for fewer rows or columns.`,
  })
}
