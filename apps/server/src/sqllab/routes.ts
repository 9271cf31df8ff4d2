import {
  AppError,
  type ExecuteBody,
  type ExecutePending,
  framesType,
  legacyRoutes,
  message,
  queryStop,
  readExecuteRequest,
  sqlJson,
  sqllabExecute,
  sqllabResults,
  stopQuery,
} from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/app.ts'
import { compressedStream } from '../http/compress-stream.ts'
import type { Principal } from '../access/principal.ts'
import { serve } from '../http/serve.ts'
import type { SqllabDeps } from './deps.ts'
import { executeFrames, executeRows } from './execute.ts'
import { sqllabExportRoutes } from './export-routes.ts'
import { publishQuery } from './query-events.ts'
import { queryView } from './query-view.ts'
import { findResult, resultJson, truncateAnswer } from './results.ts'
import type { Caller } from '../user-sql/prepare-user-sql.ts'
import { updateQuery } from './history.ts'
import { resolveLimitEarly } from './prepare.ts'
import { backgroundRuns } from './run-job.ts'
import { beginRun } from './run.ts'
import { RunningQueries } from './running.ts'
import { runScheduled } from './scheduled-runs.ts'
import { RunRecord } from './run-record.ts'

const json = 'application/json; charset=utf-8'

interface ExecuteCall {
  body: ExecuteBody
  principal: Principal
  signal: AbortSignal
  request: FastifyRequest
  reply: FastifyReply
}

export function sqllabRoutes(app: App, deps: SqllabDeps): void {
  const { config } = deps.settings
  const running = new RunningQueries()
  const background = backgroundRuns(deps, running)
  runScheduled(deps, running)

  async function execute({ body, principal, signal, request, reply }: ExecuteCall): Promise<FastifyReply> {
    const executeRequest = readExecuteRequest(body)
    const started = await beginRun(executeRequest, deps, running, principal, executeRequest.runAsync ? null : signal)
    if ('repeated' in started) {
      const query = queryView(started.repeated, started.database.database_name, principal)
      return reply.type(json).send({ query } satisfies ExecutePending)
    }
    const { run } = started
    if (executeRequest.runAsync) {
      const { limit, factor } = await resolveLimitEarly(deps, run)
      const { record } = run
      record.row = (await updateQuery(deps, record.row.id, { limit, limiting_factor: factor })) ?? record.row
      const query = queryView(run.record.row, run.database.database_name, principal)
      await background.add(run)
      return reply
        .code(202)
        .type(json)
        .send({ query } satisfies ExecutePending)
    }
    if (request.headers.accept === framesType) {
      const frames = await executeFrames(run)
      reply.type(framesType)
      return reply.send(Buffer.isBuffer(frames) ? frames : compressedStream(request, reply, frames))
    }
    const { answer, rows } = await executeRows(run)
    return reply.type(json).send(truncateAnswer(answer, rows, config.DISPLAY_MAX_ROW))
  }
  serve(app, sqllabExecute, execute)
  serve(app, sqlJson, execute)

  async function results(
    key: string,
    maxRows: number | null,
    { reply, request, ...caller }: Caller & { reply: FastifyReply; request: FastifyRequest },
  ): Promise<FastifyReply> {
    const cached = await findResult(deps, caller, key)
    if (request.headers.accept === framesType && cached.form === 'frames' && maxRows === null)
      return reply.type(framesType).send(compressedStream(request, reply, cached.read()))
    return reply.type(json).send(await resultJson(deps, caller, cached, maxRows ?? config.DISPLAY_MAX_ROW))
  }
  serve(app, sqllabResults, ({ rison, ...call }) => {
    const { key, rows } = rison as { key: string; rows?: unknown } // the API includes its schema, which has no `rows`, in messages
    return results(key, typeof rows === 'number' && rows >= 1 ? Math.floor(rows) : null, call)
  })
  serve(app, legacyRoutes.results, ({ params, ...call }) => results(params.key, null, call))

  async function stop(client_id: string, { id }: Principal): Promise<{ result: 'OK' }> {
    const found = await deps.db
      .selectFrom('query')
      .selectAll()
      .where('client_id', '=', client_id)
      .where('user_id', '=', id)
      .executeTakeFirst()
    if (!found)
      throw new AppError('not_found', {
        message: message('errors.sqllab.queryNotFound', 'Query with client_id {clientId} not found', {
          clientId: client_id,
        }),
      })
    const stopped = new AppError('query_stopped')
    const record = new RunRecord(deps, found, () => {})
    await record.fail(stopped, true)
    running.stop(found.id, stopped)
    await publishQuery(deps, record.row)
    return { result: 'OK' }
  }
  serve(app, queryStop, ({ body, principal }) => stop(body.client_id, principal))
  serve(app, stopQuery, ({ body, principal }) => stop(body['client_id'] ?? '', principal))

  sqllabExportRoutes(app, deps)
}
