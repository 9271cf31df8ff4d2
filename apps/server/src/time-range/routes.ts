import { AppError, message, timeRangeRoute, type ActualRange } from '@parquetry/model'
import { formatLocalIso, resolveTimeRange } from '@parquetry/query'
import type { App, HttpDeps } from '../http/app.ts'
import { serve } from '../http/serve.ts'

/** Enough for every range of a page; each is parsed on the server's thread. */
const maxRanges = 100

/**
 * `GET /api/v1/time_range/`: resolves a time range, or each one of a list, as of now, to display it and to validate it while it is
 * typed.
 */
export function timeRangeRoutes(app: App, deps: HttpDeps): void {
  const { config, timeZone } = deps.settings
  const resolve = (timeRange: string, timeShift?: string | null) => {
    try {
      const { since, until } = resolveTimeRange(timeRange, {
        now: formatLocalIso(deps.now().getTime(), timeZone),
        relativeStart: config.DEFAULT_RELATIVE_START_TIME,
        relativeEnd: config.DEFAULT_RELATIVE_END_TIME,
        timeShift,
      })
      return { since: since ?? '', until: until ?? '', timeRange }
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_query')
        throw new AppError('bad_request', {
          message: message('errors.timeRange.unexpected', 'Unexpected time range: {reason}', {
            reason: error.sentence,
          }),
          cause: error,
        })
      throw error
    }
  }
  serve(app, timeRangeRoute, ({ rison }) => {
    if (typeof rison === 'string') return { result: resolve(rison) }
    if (!isRangeList(rison))
      throw new AppError('bad_request', {
        message: message(
          'errors.timeRange.notText',
          'The time range must be a string, or a list of at most {max, number} objects with `timeRange` and an optional `shift`.',
          { max: maxRanges },
        ),
      })
    return {
      result: rison.map(({ timeRange, shift }): ActualRange => ({
        ...resolve(timeRange, shift),
        shift: shift ?? null,
      })),
    }
  })
}

const isOptionalText = (value: unknown): value is string | null | undefined =>
  value === undefined || value === null || typeof value === 'string'

const isRangeList = (value: unknown): value is { timeRange: string; shift?: string | null }[] =>
  Array.isArray(value) &&
  value.length <= maxRanges &&
  value.every(
    (one: unknown) =>
      typeof one === 'object' &&
      one !== null &&
      'timeRange' in one &&
      typeof one.timeRange === 'string' &&
      isOptionalText('shift' in one ? one.shift : undefined),
  )
