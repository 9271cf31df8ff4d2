import { AppError } from '@parquetry/model/errors'

/**
 * A step's own check failed: the API answers 200 with status `failed` and no data. Everything
 * else that is wrong with a step is an AppError.
 */
export class StepRefusal extends Error {}

/** The step cannot be carried out as it is written. */
export const invalidStep = (message: string): AppError => new AppError('invalid_post_processing', { message })

export const pivotTooLarge = (): AppError =>
  new AppError('result_too_large', { message: 'The pivot table is larger than the limit. Group by fewer values.' })
