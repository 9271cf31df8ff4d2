import { AppError, type AsyncEvent, type QueryContext } from '@parquetry/model'
import { typedError } from '../http/errors.ts'
import type { Principal } from '../access/principal.ts'
import { userChannel } from '../jobs/pub-sub.ts'
import { principalById } from '../access/load-principal.ts'
import { answerFrames } from './answer-frames.ts'
import { answerJson } from './answer-json.ts'
import type { ChartDeps } from './deps.ts'
import { openQuestion } from './open-question.ts'

const kind = 'chart.data'

interface Payload {
  context: QueryContext
  frames: boolean
}

/**
 * Questions of charts that are answered in the background (GLOBAL_ASYNC_QUERIES): the call is accepted, the job fills the
 * cache, and the asker fetches the answer when an event says that it is there.
 */
export function backgroundQuestions(deps: ChartDeps) {
  const told = (event: Partial<AsyncEvent> & Pick<AsyncEvent, 'job_id' | 'status'>, userId: number) => ({
    channel_id: userChannel(userId),
    user_id: userId,
    errors: [],
    result_url: null,
    ...event,
  })

  deps.jobs.handle(kind, {
    async run({ id, payload, userId, signal }) {
      const { context, frames } = payload as Payload
      const principal = await principalById(deps.db, userId)
      if (!principal) throw new AppError('forbidden')
      const question = await openQuestion(context, deps, principal)
      await (frames ? answerFrames(question, signal) : answerJson(question, signal))
      return `/api/v1/chart/data/${id}`
    },
    async ended({ id, userId }, end) {
      const event =
        end.state === 'done'
          ? told({ job_id: id, status: 'done', result_url: end.result }, userId)
          : told(
              {
                job_id: id,
                status: 'error',
                errors: [typedError(end.state === 'failed' ? end.error : end.reason)],
              },
              userId,
            )
      await deps.events.publish(userChannel(userId), event)
    },
  })

  return {
    /** Users' questions for data; files, and guests who have no channel, are answered at once. */
    takes({ result_format, result_type }: QueryContext, { id }: Principal): boolean {
      const isData = (result_format ?? 'json') === 'json' && (result_type ?? 'full') === 'full'
      return deps.settings.flags['GLOBAL_ASYNC_QUERIES'] === true && isData && id !== null
    },
    async add(context: QueryContext, principal: Principal, frames: boolean): Promise<Omit<AsyncEvent, 'id'>> {
      const userId = principal.id!
      const job_id = await deps.jobs.add(kind, { context, frames } satisfies Payload, userId)
      return told({ job_id, status: 'pending' }, userId)
    },
    /** The question behind a result. @throws AppError `not_found` for one that is over, or of somebody else */
    async find(key: string, { id }: Principal): Promise<QueryContext> {
      const job = await deps.db
        .selectFrom('job')
        .select('payload')
        .where('uuid', '=', key)
        .where('kind', '=', kind)
        .where('user_id', '=', id ?? -1)
        .where('state', '=', 'done')
        .executeTakeFirst()
      if (!job) throw new AppError('not_found')
      return { ...(JSON.parse(job.payload) as Payload).context, force: false }
    },
  }
}
