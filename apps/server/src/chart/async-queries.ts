import { AppError, type AsyncEvent } from '@parquetry/model'
import { typedError } from '../http/errors.ts'
import type { Principal } from '../access/principal.ts'
import { userChannel } from '../jobs/pub-sub.ts'
import { loadPrincipalById } from '../access/load-principal.ts'
import { errorTranslator } from '../settings/messages.ts'
import type { ChartDeps } from './deps.ts'

interface AsyncQueryKind<Asked> {
  /** Kind of its jobs. */
  kind: string
  /** URL of its results, without the key at the end. */
  path: string
  /** Computes the response so that it is cached. */
  fillCache(request: Asked, principal: Principal, signal: AbortSignal): Promise<unknown>
}

/**
 * Chart queries that run in the background (GLOBAL_ASYNC_QUERIES): the call is accepted, the job fills the cache, and the client
 * fetches the result when an event reports that it is ready.
 */
export function createAsyncQueries<Asked extends object>(
  deps: ChartDeps,
  { kind, path, fillCache }: AsyncQueryKind<Asked>,
) {
  const toEvent = (event: Partial<AsyncEvent> & Pick<AsyncEvent, 'job_id' | 'status'>, userId: number) => ({
    channel_id: userChannel(userId),
    user_id: userId,
    errors: [],
    result_url: null,
    ...event,
  })

  deps.jobs.handle(kind, {
    async run({ id, payload, userId, signal }) {
      const principal = await loadPrincipalById(deps.db, userId)
      if (!principal) throw new AppError('forbidden')
      await fillCache(payload as Asked, principal, signal)
      return `${path}${id}`
    },
    async ended({ id, userId }, end) {
      const event =
        end.state === 'done'
          ? toEvent({ job_id: id, status: 'done', result_url: end.result }, userId)
          : toEvent(
              {
                job_id: id,
                status: 'error',
                errors: [typedError(end.state === 'failed' ? end.error : end.reason, errorTranslator(deps.settings))],
              },
              userId,
            )
      await deps.events.publish(userChannel(userId), event)
    },
  })

  return {
    /** Guests have no channel, so they get the result immediately. */
    accepts: ({ id }: Principal): boolean => deps.settings.flags['GLOBAL_ASYNC_QUERIES'] === true && id !== null,
    async add(request: Asked, principal: Principal): Promise<Omit<AsyncEvent, 'id'>> {
      const userId = principal.id!
      const job_id = await deps.jobs.add(kind, request, userId, { session: principal.session })
      return toEvent({ job_id, status: 'pending' }, userId)
    },
    /** Returns the request behind a result. @throws AppError `not_found` when it has expired or belongs to another user */
    async find(key: string, { id }: Principal): Promise<Asked> {
      const job = await deps.db
        .selectFrom('job')
        .select('payload')
        .where('uuid', '=', key)
        .where('kind', '=', kind)
        .where('user_id', '=', id ?? -1)
        .where('state', '=', 'done')
        .executeTakeFirst()
      if (!job) throw new AppError('not_found')
      return JSON.parse(job.payload) as Asked
    },
  }
}
