import {
  AppError,
  chartData,
  chartDataById,
  chartDataByKey,
  framesType,
  message,
  type QueryContext,
} from '@parquetry/model'
import { readQueryContext, readSavedContext } from '@parquetry/query'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/app.ts'
import type { Principal } from '../access/principal.ts'
import { serve } from '../http/serve.ts'
import { can } from '../access/access.ts'
import { sendFileResponse } from './file-response.ts'
import { buildFramesResponse } from './frames-response.ts'
import { buildJsonResponse } from './json-response.ts'
import type { ChartDeps } from './deps.ts'
import { buildFormData, readParams } from './form-data.ts'
import { createAsyncQueries } from './async-queries.ts'
import { resolveQuery } from './resolve-query.ts'
import { type DataRequest, ResponseCache, sendEncoded } from './response-cache.ts'
import type { ResolvedQuery } from './resolved-query.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'

interface Call {
  principal: Principal
  signal: AbortSignal
  request: FastifyRequest
  reply: FastifyReply
}

/** Stored request of a query that runs in the background. */
interface AsyncChartQuery {
  context: QueryContext
  /** The response is requested as frames. */
  frames: boolean
}

/** Files are sent immediately. */
const canRunAsync = ({ result_format, result_type }: QueryContext): boolean =>
  (result_format ?? 'json') === 'json' && (result_type ?? 'full') === 'full'

const isFile = ({ context }: ResolvedQuery): boolean => (context.result_format ?? 'json') !== 'json'

async function sendFresh(resolved: ResolvedQuery, { principal, signal, request, reply }: Call): Promise<FastifyReply> {
  if (isFile(resolved)) return sendFileResponse(resolved, principal, signal, reply)
  if (request.headers.accept === framesType)
    return reply.type(framesType).send(await buildFramesResponse(resolved, signal))
  return reply.type('application/json; charset=utf-8').send(await buildJsonResponse(resolved, signal))
}

/** Responds from the cache, never with files; 204 unless everything requested is cached. */
async function sendCached(resolved: ResolvedQuery, call: Call): Promise<FastifyReply> {
  try {
    if (!isFile(resolved)) return await sendFresh({ ...resolved, onlyCached: true }, call)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_cached') throw error
  }
  return call.reply.code(204).send()
}

export function chartDataRoutes(app: App, deps: ChartDeps): void {
  const background = createAsyncQueries<AsyncChartQuery>(deps, {
    kind: 'chart.data',
    path: '/api/v1/chart/data/',
    async fillCache({ context, frames }, principal, signal) {
      const resolved = await resolveQuery(context, deps, principal)
      await (frames ? buildFramesResponse(resolved, signal) : buildJsonResponse(resolved, signal))
    },
  })
  const responseCache = new ResponseCache(deps)
  const dataRequests = new WeakMap<FastifyRequest, DataRequest>()
  const respond = async (context: QueryContext, call: Call, canDefer = false): Promise<FastifyReply> => {
    const { principal, request, reply } = call
    const resolved = await resolveQuery(context, deps, principal)
    if (request.headers['cache-control'] === 'only-if-cached') return sendCached(resolved, call)
    if (canDefer && canRunAsync(context) && background.accepts(principal)) {
      const frames = request.headers.accept === framesType
      const accepted = await background.add({ context, frames }, principal)
      return reply.code(202).type('application/json; charset=utf-8').send(accepted)
    }
    if (isFile(resolved)) return sendFresh(resolved, call)
    const interactive = { ...resolved, isInteractive: true }
    const dataRequest = dataRequests.get(request)
    if (!dataRequest) return sendFresh(interactive, call)
    const build = dataRequest.frames ? buildFramesResponse : buildJsonResponse
    const { signal } = call
    return sendEncoded(
      reply,
      await responseCache.getOrBuild(interactive, dataRequest, signal, (each) => build(each, signal)),
    )
  }

  serve(
    app,
    chartData,
    ({ body, ...call }) => respond(readQueryContext(body), call, true),
    async (request, principal, text) => {
      if (background.accepts(principal)) return undefined
      const dataRequest = responseCache.toRequest(request, text)
      if (!dataRequest) return undefined
      const found = await responseCache.findRepeated(principal, dataRequest)
      if (found) return (reply) => sendEncoded(reply, found)
      dataRequests.set(request, dataRequest)
      return undefined
    },
  )

  serve(app, chartDataByKey, async ({ params, ...call }) => {
    const { context } = await background.find(params.cache_key, call.principal)
    return respond({ ...context, force: false }, call)
  })

  serve(app, chartDataById, async ({ params, query, ...call }) => {
    const { principal } = call
    const access = { db: deps.db, principal, ...readViewerRules(deps.settings) }
    if (!(await can(access, ['can_read', 'Chart'], { kind: 'chart', id: params.id }))) throw new AppError('not_found')
    const chart = await deps.db.selectFrom('chart').selectAll().where('id', '=', params.id).executeTakeFirstOrThrow()
    if (!chart.query_context)
      throw new AppError('bad_request', {
        message: message(
          'errors.chart.noQueryContext',
          'Chart has no query context saved. Please save the chart again.',
        ),
      })
    const saved: Partial<QueryContext> = readParams(chart.query_context)
    const context = readSavedContext({
      ...saved,
      result_format: query.format ?? saved.result_format ?? 'json',
      result_type: query.type ?? saved.result_type ?? 'full',
      force: query.force === 'true',
      form_data: { ...saved.form_data, ...buildFormData(chart) },
    })
    return respond(context, call)
  })
}
