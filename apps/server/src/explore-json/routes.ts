import type { ChartForm } from '@parquetry/charts'
import { AppError, exploreJsonRoutes as routes, type PlannerDataset, type RouteContract } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../access/principal.ts'
import { sendFileResponse } from '../chart/file-response.ts'
import { compileQueryText } from '../chart/json-response.ts'
import { createAsyncQueries } from '../chart/async-queries.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { buildEntryShape, withData } from '../chart/envelope.ts'
import { runQuery } from '../chart/run-query.ts'
import type { App } from '../http/app.ts'
import { checkCsrf } from '../http/csrf.ts'
import { noSuchMethod } from '../http/errors.ts'
import { serve } from '../http/serve.ts'
import type { AuditEvent } from '../store/audit-log.ts'
import { runLegacyQuery } from './run-legacy-query.ts'
import { resolveLegacyQuery, type ResolvedLegacyQuery } from './legacy-query.ts'
import { readRequestForm, type FormRequest } from './read-request.ts'

/** Stored part of a form that is answered in the background. */
interface PendingForm {
  form: ChartForm
  force: boolean
}

interface CallContext {
  principal: Principal
  signal: AbortSignal
  reply: FastifyReply
}

type QueryFlags = Partial<Record<'form_data' | 'force' | 'csv' | 'query' | 'results' | 'samples', string>>

interface LegacyCall extends CallContext, Omit<FormRequest, 'query'> {
  query: QueryFlags
  event: AuditEvent
}

const json = 'application/json; charset=utf-8'

/** `/superset/explore_json/`: data of older chart types, in the format of their own clients. */
export function exploreJsonRoutes(app: App, deps: ChartDeps): void {
  const background = createAsyncQueries<PendingForm>(deps, {
    kind: 'explore.json',
    path: '/superset/explore_json/data/',
    async fillCache({ form, force }, principal, signal) {
      const { status, body } = await runLegacyQuery(await resolveLegacyQuery(form, force, deps, principal), signal)
      if (status !== 200) throw readFailure(body)
    },
  })

  const sendResult = async (resolved: ResolvedLegacyQuery, { signal, reply }: CallContext) => {
    const { status, body } = await runLegacyQuery(resolved, signal)
    return reply.code(status).type(json).send(body)
  }

  const respond = async (contract: RouteContract, { query, request, event, ...callContext }: LegacyCall) => {
    checkProtection(contract, request)
    const { principal, signal, reply } = callContext
    const form = await readRequestForm({ ...callContext, query, request }, deps)
    const force = query.force === 'true'
    event.slice_id = Number.isSafeInteger(form['slice_id']) ? (form['slice_id'] as number) : null
    const resolved = await resolveLegacyQuery(form, force, deps, principal)
    const hasFlag = (name: keyof QueryFlags) => query[name] === 'true'
    const first = resolved.parts[0]?.query
    const queries = resolved.parts.map((part) => part.query)
    const { resolvedQuery } = resolved
    if (hasFlag('csv')) {
      const context = { ...resolvedQuery.context, queries, result_format: 'csv' as const }
      return sendFileResponse(
        { ...resolvedQuery, context, dataset: withoutVerboseNames(resolvedQuery.dataset) },
        principal,
        signal,
        reply,
      )
    }
    if (hasFlag('query') && first) return reply.type(json).send(await compileQueryText(resolvedQuery, first, signal))
    const rowsType = hasFlag('results') ? 'results' : hasFlag('samples') ? 'samples' : null
    if (rowsType && first) return reply.type(json).send(await fetchRows(resolved, rowsType, signal))
    if (background.accepts(principal))
      return reply
        .code(202)
        .type(json)
        .send(await background.add({ form, force }, principal))
    return sendResult(resolved, callContext)
  }

  /** ENABLE_EXPLORE_JSON_CSRF_PROTECTION: allows only POST, and only with the token. */
  function checkProtection(contract: RouteContract, request: FastifyRequest): void {
    if (deps.settings.flags['ENABLE_EXPLORE_JSON_CSRF_PROTECTION'] !== true) return
    if (contract.method === 'GET') throw noSuchMethod()
    if (request.identity) checkCsrf(app, { ...contract, csrf: 'token' }, request.identity, request)
  }

  serve(app, routes.get, (call) => respond(routes.get, call))
  serve(app, routes.post, (call) => respond(routes.post, call))
  serve(app, routes.getOfDataset, (call) => respond(routes.getOfDataset, call))
  serve(app, routes.postOfDataset, (call) => respond(routes.postOfDataset, call))
  serve(app, routes.byKey, async ({ params, ...callContext }) => {
    const { form } = await background.find(params.cache_key, callContext.principal)
    return sendResult(await resolveLegacyQuery(form, false, deps, callContext.principal), callContext)
  })
}

/** Removes verbose names, because files of this route use the column names of the query. */
const withoutVerboseNames = (dataset: PlannerDataset): PlannerDataset => ({
  ...dataset,
  columns: dataset.columns.map((column) => ({ ...column, verbose_name: null })),
  metrics: dataset.metrics.map((metric) => ({ ...metric, verbose_name: null })),
})

/** The rows from which the chart data is built, or samples of the dataset. */
async function fetchRows(
  { resolvedQuery, parts }: ResolvedLegacyQuery,
  type: 'results' | 'samples',
  signal: AbortSignal,
): Promise<Buffer> {
  const { row_limit, ...query } = parts[0]!.query
  const resultQuery = type === 'samples' ? query : { ...query, ...(row_limit && { row_limit }) }
  const { run } = await runQuery(resolvedQuery, resultQuery, { as: 'rows', times: 'ms' }, type, signal)
  const { colnames, coltypes } = buildEntryShape(run.header, resolvedQuery.dataset)
  return withData({ colnames, coltypes }, run.body)
}

/** Error in the body of a failed response. */
function readFailure(body: Buffer): AppError {
  const { errors } = JSON.parse(body.toString()) as { errors: { message?: string }[] }
  return new AppError('invalid_query', { message: errors[0]?.message ?? '' })
}
