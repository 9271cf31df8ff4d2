import { zipOf } from '@parquetry/bundle'
import { AppError } from '@parquetry/model'
import type { FastifyReply } from 'fastify'
import { holds, type Principal } from '../http/principal.ts'
import { resultTypeOf, type Question } from './question.ts'
import { runQuery } from './run-query.ts'

/**
 * The answers as a CSV file, or a ZIP of them when there are several.
 * @throws AppError `forbidden` without `can_csv`; `unsupported` for spreadsheets, which are not written yet
 */
export async function answerFile(
  question: Question,
  principal: Principal,
  signal: AbortSignal,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!holds(principal, ['can_csv', 'Superset'])) throw new AppError('forbidden')
  if (question.context.result_format !== 'csv')
    throw new AppError('unsupported', { message: 'Downloads as XLSX are not available yet. Choose CSV.' })
  const { queries } = question.context
  if (queries.length === 0) throw new AppError('bad_request', { message: 'Empty query result' })
  const encode = { as: 'csv', escape: true, separator: ',', header: true } as const
  const bodies = await Promise.all(
    queries.map(
      async (query) =>
        (await runQuery(question, query, encode, resultTypeOf(question.context, query), signal)).run.body,
    ),
  )
  const name = question.deps.now().toISOString().replace(/[-:]/g, '').replace('T', '_').slice(0, 15)
  const [only] = bodies
  if (bodies.length === 1 && only)
    return reply
      .type('text/csv; charset=utf-8')
      .header('Content-Disposition', `attachment; filename=${name}.csv`)
      .send(only)
  return reply
    .type('application/zip')
    .header('Content-Disposition', `attachment; filename=${name}.zip`)
    .send(await zipOf(new Map(bodies.map((body, index) => [`query_${index + 1}.csv`, body])), question.deps.now()))
}
