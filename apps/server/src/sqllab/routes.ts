import { encodeMessage } from '@parquetry/frame'
import { AppError, framesType, queryStop, sqllabExecute, type ExecuteHead } from '@parquetry/model'
import { withData } from '../chart/envelope.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { execute } from './execute.ts'
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

  serve(app, queryStop, async ({ body, principal }) => {
    const found = await deps.db
      .selectFrom('query')
      .select('id')
      .where('client_id', '=', body.client_id)
      .where('user_id', '=', principal.id)
      .executeTakeFirst()
    if (!found || principal.id === null) throw new AppError('not_found')
    running.stop(principal.id, body.client_id)
    return { result: 'OK' }
  })
}
