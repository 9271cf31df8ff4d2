import { AppError } from '@parquetry/model/errors'

export const tooLong = (column: string, cellBytes: number): AppError =>
  new AppError('result_too_large', {
    message: `A value of column "${column}" is larger than ${Math.floor(cellBytes / 1024)} KB. Shorten it in the query.`,
    details: { column },
  })

/** @param bytes of an answer */
export const tooLarge = (bytes: number): AppError =>
  new AppError('result_too_large', {
    message: `The result is larger than ${bytes < 1 << 20 ? `${bytes} bytes` : `${Math.floor(bytes / (1 << 20))} MB`}. Ask for fewer rows or columns.`,
  })
