import { AppError } from '@parquetry/model'

export const tooLong = (column: string, cellBytes: number): AppError =>
  new AppError('result_too_large', {
    message: `A value of column "${column}" is larger than ${Math.floor(cellBytes / 1024)} KB. Shorten it in the query.`,
    details: { column },
  })
