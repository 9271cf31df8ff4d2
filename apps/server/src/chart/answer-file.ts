import { zipOf } from '@parquetry/bundle'
import { AppError, type QueryObject } from '@parquetry/model'
import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { holds, type Principal } from '../http/principal.ts'
import { resultTypeOf, type Question } from './question.ts'
import { runQuery, streamQuery } from './run-query.ts'

/**
 * The answers as a CSV file, which is sent while it is written, or a ZIP of them when there are several.
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
  const typeOf = (query: QueryObject) => resultTypeOf(question.context, query)
  const name = question.deps.now().toISOString().replace(/[-:]/g, '').replace('T', '_').slice(0, 15)
  const [only, ...others] = queries
  if (only && others.length === 0) {
    const { chunks } = await streamQuery(question, only, encode, typeOf(only), signal)
    return reply
      .type('text/csv; charset=utf-8')
      .header('Content-Disposition', `attachment; filename=${name}.csv`)
      .send(Readable.from(chunks, { objectMode: false }))
  }
  const bodies = await Promise.all(
    queries.map(async (query) => (await runQuery(question, query, encode, typeOf(query), signal)).run.body),
  )
  return reply
    .type('application/zip')
    .header('Content-Disposition', `attachment; filename=${name}.zip`)
    .send(await zipOf(new Map(bodies.map((body, index) => [`query_${index + 1}.csv`, body])), question.deps.now()))
}
