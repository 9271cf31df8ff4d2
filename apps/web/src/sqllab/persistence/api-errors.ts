import { ApiError } from '@parquetry/client'

/** Deleted objects and those of other users look the same: mostly 403. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && [403, 404].includes(error.status)
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409
/** No response: the app's banner reports that the browser is offline, and pending changes are sent when it is back. */
export const isNetworkError = (error: unknown): boolean => error instanceof ApiError && error.status === 0
