import { AppError } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'

/** A step's own check failed: the API responds 200 with status `failed` and no data. All other errors of a step are AppErrors. */
export class StepRefusal extends Error {}

/** Error of a step that cannot be carried out as written. */
export const invalidStep = (text: string | Message): AppError =>
  new AppError('invalid_post_processing', { message: text })

export const pivotTooLarge = (): AppError =>
  new AppError('result_too_large', {
    message: message('errors.frame.pivotTooLarge', 'The pivot table is larger than the limit. Group by fewer values.'),
  })
