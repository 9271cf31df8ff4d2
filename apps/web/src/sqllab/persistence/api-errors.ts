import { ApiError } from '@parquetry/client'

/** What is gone and what belongs to somebody else look the same: mostly 403. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && [403, 404].includes(error.status)
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409
/** No answer: the strip of the frame says that the browser is offline, and what waits goes out when it is back. */
export const isNetworkError = (error: unknown): boolean => error instanceof ApiError && error.status === 0
