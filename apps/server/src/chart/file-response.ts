import { createZip } from '@parquetry/bundle'
import { AppError, message, type Encoding, type QueryObject } from '@parquetry/model'
import type { FastifyReply } from 'fastify'
import { hasPermission, type Principal } from '../access/principal.ts'
import { sendPieces } from '../http/send-pieces.ts'
import { resultTypeOf, type ResolvedQuery } from './resolved-query.ts'
import { runQuery, streamQuery } from './run-query.ts'

const formats = new Map<string, { encode: Encoding; ending: string; type: string }>([
  [
    'csv',
    {
      encode: { as: 'csv', escape: true, separator: ',', header: true },
      ending: 'csv',
      type: 'text/csv; charset=utf-8',
    },
  ],
  [
    'xlsx',
    {
      encode: { as: 'xlsx' },
      ending: 'xlsx',
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    },
  ],
  // Not part of the reference API.
  ['parquet', { encode: { as: 'parquet' }, ending: 'parquet', type: 'application/vnd.apache.parquet' }],
])

/**
 * Sends the results as a file, or as a ZIP of files when there are several. CSV is streamed.
 * @throws AppError `forbidden` without `can_csv`; `unsupported` for other formats; `result_too_large` when XLSX cannot hold the
 * result
 */
export async function sendFileResponse(
  resolved: ResolvedQuery,
  principal: Principal,
  signal: AbortSignal,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!hasPermission(principal, ['can_csv', 'Superset'])) throw new AppError('forbidden')
  const format = formats.get(resolved.context.result_format ?? '')
  if (!format)
    throw new AppError('unsupported', {
      message: message('errors.chart.downloadFormat', 'Unsupported download format. Use CSV, XLSX, or Parquet.'),
    })
  const { queries } = resolved.context
  if (queries.length === 0)
    throw new AppError('bad_request', { message: message('errors.chart.emptyResult', 'Empty query result') })
  const { encode, ending, type } = format
  const typeOf = (query: QueryObject) => resultTypeOf(resolved.context, query)
  const name = resolved.deps.now().toISOString().replace(/[-:]/g, '').replace('T', '_').slice(0, 15)
  const [single, ...others] = queries
  if (single && others.length === 0) {
    const { chunks } = await streamQuery(resolved, single, encode, typeOf(single), signal)
    reply.type(type).header('Content-Disposition', `attachment; filename=${name}.${ending}`)
    return sendPieces(reply, chunks)
  }
  const bodies = await Promise.all(
    queries.map(async (query) => (await runQuery(resolved, query, encode, typeOf(query), signal)).run.body),
  )
  return reply
    .type('application/zip')
    .header('Content-Disposition', `attachment; filename=${name}.zip`)
    .send(
      await createZip(
        new Map(bodies.map((body, index) => [`query_${index + 1}.${ending}`, body])),
        resolved.deps.now(),
      ),
    )
}
