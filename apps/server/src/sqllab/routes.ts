import { encodeMessage } from '@parquetry/frame'
import {
  AppError,
  type ExecuteHead,
  framesType,
  legacyRoutes,
  queryStop,
  sqllabExecute,
  sqllabResults,
} from '@parquetry/model'
import type { FastifyReply } from 'fastify'
import { withData } from '../chart/envelope.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app.ts'
import type { Principal } from '../http/principal.ts'
import { serve } from '../http/serve.ts'
import { execute } from './execute.ts'
import { cut, readResult } from './results.ts'
import { RunningQueries } from './running.ts'

export function sqllabRoutes(app: App, deps: Deps): void {
  const running = new RunningQueries()

  serve(app, sqllabExecute, async ({ body, principal, signal, request, reply }) => {
    if (request.headers.accept === framesType) {
      const { answer, body: frames } = await execute(body, { as: 'frames' }, deps, running, { principal, signal })
      const head: ExecuteHead = { type: 'answer', answer }
      return reply.type(framesType).send(Buffer.concat([encodeMessage(head), frames]))
    }
    const { answer, body: rows } = await execute(body, { as: 'rows', times: 'iso' }, deps, running, {
      principal,
      signal,
    })
    return reply.type('application/json; charset=utf-8').send(withData(answer, rows))
  })

  const answerOf = async (key: string, call: { principal: Principal; signal: AbortSignal; reply: FastifyReply }) =>
    call.reply.type('application/json; charset=utf-8').send(await readResult(deps, call, key))
  serve(app, sqllabResults, async ({ rison, ...call }) => {
    const { key, rows } = rison as { key: string; rows?: unknown } // the API writes its schema, which has no `rows`, into messages
    if (typeof rows !== 'number' || rows < 1) return answerOf(key, call)
    return call.reply.type('application/json; charset=utf-8').send(cut(await readResult(deps, call, key), rows))
  })
  serve(app, legacyRoutes.results, ({ params, ...call }) => answerOf(params.key, call))

  serve(app, queryStop, async ({ body, principal }) => {
    const found = await deps.db
      .selectFrom('query')
      .select('id')
      .where('client_id', '=', body.client_id)
      .where('user_id', '=', principal.id)
      .executeTakeFirst()
    if (!found || principal.id === null)
      throw new AppError('not_found', { message: `Query with client_id ${body.client_id} not found` })
    running.stop(principal.id, body.client_id)
    return { result: 'OK' }
  })
}
