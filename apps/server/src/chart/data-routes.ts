import { AppError, chartData, chartDataById, chartDataByKey, framesType, type QueryContext } from '@parquetry/model'
import { readQueryContext } from '@parquetry/query'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app.ts'
import type { Principal } from '../http/principal.ts'
import { serve } from '../http/serve.ts'
import { can } from '../security/access.ts'
import { answerFile } from './answer-file.ts'
import { answerFrames } from './answer-frames.ts'
import { answerJson } from './answer-json.ts'
import { formDataOf, readParams } from './form-data.ts'
import { backgroundQuestions } from './background.ts'
import { openQuestion } from './open-question.ts'

interface Asking {
  principal: Principal
  signal: AbortSignal
  request: FastifyRequest
  reply: FastifyReply
}

export function chartDataRoutes(app: App, deps: Deps): void {
  const background = backgroundQuestions(deps)
  const answer = async (
    context: QueryContext,
    { principal, signal, request, reply }: Asking,
    isLater = false,
  ): Promise<FastifyReply> => {
    const question = await openQuestion(context, deps, principal)
    if (isLater && background.takes(context, principal)) {
      const accepted = await background.add(context, principal, request.headers.accept === framesType)
      return reply.code(202).type('application/json; charset=utf-8').send(accepted)
    }
    if ((context.result_format ?? 'json') !== 'json') return answerFile(question, principal, signal, reply)
    if (request.headers.accept === framesType) return reply.type(framesType).send(await answerFrames(question, signal))
    return reply.type('application/json; charset=utf-8').send(await answerJson(question, signal))
  }

  serve(app, chartData, ({ body, ...asking }) => answer(readQueryContext(body), asking, true))

  serve(app, chartDataByKey, async ({ params, ...asking }) =>
    answer(await background.find(params.cache_key, asking.principal), asking),
  )

  serve(app, chartDataById, async ({ params, query, ...asking }) => {
    const { principal } = asking
    const access = { db: deps.db, principal, dashboardRoles: deps.settings.flags['DASHBOARD_RBAC'] === true }
    if (!(await can(access, ['can_read', 'Chart'], { kind: 'chart', id: params.id }))) throw new AppError('not_found')
    const chart = await deps.db.selectFrom('chart').selectAll().where('id', '=', params.id).executeTakeFirstOrThrow()
    if (!chart.query_context)
      throw new AppError('bad_request', { message: 'Chart has no query context saved. Please save the chart again.' })
    const saved: Partial<QueryContext> = readParams(chart.query_context)
    const context = readQueryContext({
      ...saved,
      result_format: query.format ?? saved.result_format ?? 'json',
      result_type: query.type ?? saved.result_type ?? 'full',
      force: query.force === 'true',
      form_data: { ...saved.form_data, ...formDataOf(chart) },
    })
    return answer(context, asking)
  })
}
