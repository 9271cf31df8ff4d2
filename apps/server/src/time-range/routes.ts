import { AppError, message, timeRangeRoute } from '@parquetry/model'
import { formatLocalIso, resolveTimeRange } from '@parquetry/query'
import type { App, HttpDeps } from '../http/app.ts'
import { serve } from '../http/serve.ts'

/** `GET /api/v1/time_range/`: resolves a time range as of now, to display it and to validate it while it is typed. */
export function timeRangeRoutes(app: App, deps: HttpDeps): void {
  const { config, timeZone } = deps.settings
  serve(app, timeRangeRoute, ({ rison: text }) => {
    if (typeof text !== 'string')
      throw new AppError('bad_request', {
        message: message('errors.timeRange.notText', 'The time range must be a string.'),
      })
    try {
      const { since, until } = resolveTimeRange(text, {
        now: formatLocalIso(deps.now().getTime(), timeZone),
        relativeStart: config.DEFAULT_RELATIVE_START_TIME,
        relativeEnd: config.DEFAULT_RELATIVE_END_TIME,
      })
      return { result: { since: since ?? '', until: until ?? '', timeRange: text } }
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_query')
        throw new AppError('bad_request', { message: `Unexpected time range: ${error.message}`, cause: error })
      throw error
    }
  })
}
