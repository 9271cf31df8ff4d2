import type { ChartForm } from '@parquetry/charts'
import { AppError, exploreJsonRoutes as routes, type PlannerDataset, type RouteContract } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../access/principal.ts'
import { answerFile } from '../chart/answer-file.ts'
import { queryText } from '../chart/answer-json.ts'
import { backgroundAnswers } from '../chart/background.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { shapeOf, withData } from '../chart/envelope.ts'
import { runQuery } from '../chart/run-query.ts'
import type { App } from '../http/app.ts'
import { checkCsrf } from '../http/csrf.ts'
import { noSuchMethod } from '../http/errors.ts'
import { serve } from '../http/serve.ts'
import type { AuditEvent } from '../store/audit-log.ts'
import { answerOlder } from './answer.ts'
import { openOlder, type OlderQuestion } from './older-question.ts'
import { givenForm, type GivenForm } from './read-request.ts'

/** What is kept of a form until it is answered in the background. */
interface Later {
  form: ChartForm
  force: boolean
}

interface Asking {
  principal: Principal
  signal: AbortSignal
  reply: FastifyReply
}

type Switches = Partial<Record<'form_data' | 'force' | 'csv' | 'query' | 'results' | 'samples', string>>

interface Called extends Asking, Omit<GivenForm, 'query'> {
  query: Switches
  event: AuditEvent
}

const json = 'application/json; charset=utf-8'

/** `/superset/explore_json/`: the data of older chart types, as their own clients take it. */
export function exploreJsonRoutes(app: App, deps: ChartDeps): void {
  const background = backgroundAnswers<Later>(deps, {
    kind: 'explore.json',
    path: '/superset/explore_json/data/',
    async fill({ form, force }, principal, signal) {
      const { status, body } = await answerOlder(await openOlder(form, force, deps, principal), signal)
      if (status !== 200) throw failureIn(body)
    },
  })

  const sent = async (asked: OlderQuestion, { signal, reply }: Asking) => {
    const { status, body } = await answerOlder(asked, signal)
    return reply.code(status).type(json).send(body)
  }

  const answer = async (contract: RouteContract, { query, request, event, ...asking }: Called) => {
    checkProtection(contract, request)
    const { principal, signal, reply } = asking
    const form = await givenForm({ ...asking, query, request }, deps)
    const force = query.force === 'true'
    event.slice_id = Number.isSafeInteger(form['slice_id']) ? (form['slice_id'] as number) : null
    const asked = await openOlder(form, force, deps, principal)
    const wants = (name: keyof Switches) => query[name] === 'true'
    const first = asked.parts[0]?.query
    const queries = asked.parts.map((part) => part.query)
    const { question } = asked
    if (wants('csv')) {
      const context = { ...question.context, queries, result_format: 'csv' as const }
      return answerFile({ ...question, context, dataset: withoutHeadings(question.dataset) }, principal, signal, reply)
    }
    if (wants('query') && first) return reply.type(json).send(await queryText(question, first, signal))
    const plain = wants('results') ? 'results' : wants('samples') ? 'samples' : null
    if (plain && first) return reply.type(json).send(await rowsOf(asked, plain, signal))
    if (background.takes(principal))
      return reply
        .code(202)
        .type(json)
        .send(await background.add({ form, force }, principal))
    return sent(asked, asking)
  }

  /** ENABLE_EXPLORE_JSON_CSRF_PROTECTION: only POST, and only with the token. */
  function checkProtection(contract: RouteContract, request: FastifyRequest): void {
    if (deps.settings.flags['ENABLE_EXPLORE_JSON_CSRF_PROTECTION'] !== true) return
    if (contract.method === 'GET') throw noSuchMethod()
    if (request.identity) checkCsrf(app, { ...contract, csrf: 'token' }, request.identity, request)
  }

  serve(app, routes.get, (call) => answer(routes.get, call))
  serve(app, routes.post, (call) => answer(routes.post, call))
  serve(app, routes.getOfDataset, (call) => answer(routes.getOfDataset, call))
  serve(app, routes.postOfDataset, (call) => answer(routes.postOfDataset, call))
  serve(app, routes.byKey, async ({ params, ...asking }) => {
    const { form } = await background.find(params.cache_key, asking.principal)
    return sent(await openOlder(form, false, deps, asking.principal), asking)
  })
}

/** Files of this call name columns as the question does. */
const withoutHeadings = (dataset: PlannerDataset): PlannerDataset => ({
  ...dataset,
  columns: dataset.columns.map((column) => ({ ...column, verbose_name: null })),
  metrics: dataset.metrics.map((metric) => ({ ...metric, verbose_name: null })),
})

/** The rows that the shape is made of, or some of the dataset. */
async function rowsOf(
  { question, parts }: OlderQuestion,
  type: 'results' | 'samples',
  signal: AbortSignal,
): Promise<Buffer> {
  const { row_limit, ...query } = parts[0]!.query
  const asked = type === 'samples' ? query : { ...query, ...(row_limit && { row_limit }) }
  const { run } = await runQuery(question, asked, { as: 'rows', times: 'ms' }, type, signal)
  const { colnames, coltypes } = shapeOf(run.header, question.dataset)
  return withData({ colnames, coltypes }, run.body)
}

/** What a failed answer says of its failure. */
function failureIn(body: Buffer): AppError {
  const { errors } = JSON.parse(body.toString()) as { errors: { message?: string }[] }
  return new AppError('invalid_query', { message: errors[0]?.message ?? '' })
}
