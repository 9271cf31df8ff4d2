import { AppError, type Message } from '@parquetry/model'

/** A target that is not written correctly. */
export const invalidTarget = (sentence: Message): AppError =>
  new AppError('invalid_payload', { message: sentence, fields: { target: [sentence] } })

/** A target that the settings do not allow. */
export const forbiddenTarget = (sentence: Message): AppError =>
  new AppError('unprocessable', { message: sentence, fields: { target: [sentence] } })
