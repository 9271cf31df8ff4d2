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
import { answerFile } from './answer-file.ts'
import { answerFrames } from './answer-frames.ts'
import { answerJson } from './answer-json.ts'
import type { ChartDeps } from './deps.ts'
import { formDataOf, readParams } from './form-data.ts'
import { backgroundAnswers } from './background.ts'
import { openQuestion } from './open-question.ts'
import { type Asking, FinishedAnswers, sendFinished } from './finished-answers.ts'
import type { Question } from './question.ts'

interface Call {
  principal: Principal
  signal: AbortSignal
  request: FastifyRequest
  reply: FastifyReply
}

/** What is kept of a question until it is answered in the background. */
interface Later {
  context: QueryContext
  /** Its answer is asked for in frames. */
  frames: boolean
}

/** Files are answered at once. */
const isData = ({ result_format, result_type }: QueryContext): boolean =>
  (result_format ?? 'json') === 'json' && (result_type ?? 'full') === 'full'

const isFile = ({ context }: Question): boolean => (context.result_format ?? 'json') !== 'json'

async function answerNow(question: Question, { principal, signal, request, reply }: Call): Promise<FastifyReply> {
  if (isFile(question)) return answerFile(question, principal, signal, reply)
  if (request.headers.accept === framesType) return reply.type(framesType).send(await answerFrames(question, signal))
  return reply.type('application/json; charset=utf-8').send(await answerJson(question, signal))
}

/** From what is kept, as files never are; no content when that is not all that is asked. */
async function answerKept(question: Question, call: Call): Promise<FastifyReply> {
  try {
    if (!isFile(question)) return await answerNow({ ...question, onlyCached: true }, call)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_cached') throw error
  }
  return call.reply.code(204).send()
}

export function chartDataRoutes(app: App, deps: ChartDeps): void {
  const background = backgroundAnswers<Later>(deps, {
    kind: 'chart.data',
    path: '/api/v1/chart/data/',
    async fill({ context, frames }, principal, signal) {
      const question = await openQuestion(context, deps, principal)
      await (frames ? answerFrames(question, signal) : answerJson(question, signal))
    },
  })
  const finished = new FinishedAnswers(deps)
  const askings = new WeakMap<FastifyRequest, Asking>()
  const answer = async (context: QueryContext, call: Call, isLater = false): Promise<FastifyReply> => {
    const { principal, request, reply } = call
    const question = await openQuestion(context, deps, principal)
    if (request.headers['cache-control'] === 'only-if-cached') return answerKept(question, call)
    if (isLater && isData(context) && background.takes(principal)) {
      const frames = request.headers.accept === framesType
      const accepted = await background.add({ context, frames }, principal)
      return reply.code(202).type('application/json; charset=utf-8').send(accepted)
    }
    const asking = askings.get(request)
    if (!asking || isFile(question)) return answerNow(question, call)
    const make = asking.frames ? answerFrames : answerJson
    const { signal } = call
    return sendFinished(reply, await finished.answer(question, asking, signal, (each) => make(each, signal)))
  }

  serve(
    app,
    chartData,
    ({ body, ...call }) => answer(readQueryContext(body), call, true),
    async (request, principal, text) => {
      if (background.takes(principal)) return undefined
      const asking = finished.asking(request, text)
      if (!asking) return undefined
      askings.set(request, asking)
      const found = await finished.again(principal, asking)
      return found && ((reply) => sendFinished(reply, found))
    },
  )

  serve(app, chartDataByKey, async ({ params, ...call }) => {
    const { context } = await background.find(params.cache_key, call.principal)
    return answer({ ...context, force: false }, call)
  })

  serve(app, chartDataById, async ({ params, query, ...call }) => {
    const { principal } = call
    const access = { db: deps.db, principal, dashboardRoles: deps.settings.flags['DASHBOARD_RBAC'] === true }
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
      form_data: { ...saved.form_data, ...formDataOf(chart) },
    })
    return answer(context, call)
  })
}
