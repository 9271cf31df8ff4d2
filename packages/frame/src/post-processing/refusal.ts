import { AppError } from '@parquetry/model/errors'
import type { Message } from '@parquetry/model/message'

/** A step's own check failed: the API responds 200 with status `failed` and no data. All other errors of a step are AppErrors. */
export class StepRefusal extends Error {}

/** Error of a step that cannot be carried out as written. */
export const invalidStep = (text: string | Message): AppError =>
  new AppError('invalid_post_processing', { message: text })
