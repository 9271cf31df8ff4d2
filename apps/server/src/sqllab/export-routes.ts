import {
  AppError,
  type FileFormat,
  fileFormats,
  message,
  sqllabCsv,
  sqllabExport,
  sqllabExportStreaming,
} from '@parquetry/model'
import type { FastifyReply } from 'fastify'
import type { App } from '../http/app.ts'
import { sendPieces } from '../http/send-pieces.ts'
import { serve } from '../http/serve.ts'
import type { SqllabDeps } from './deps.ts'
import { exportQuery, type ExportRequest } from './export-query.ts'
import type { Caller } from '../user-sql/prepare-user-sql.ts'

const types: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
}

/** Byte order mark by which spreadsheets recognize UTF-8 in CSV. */
const byteOrderMark = '\ufeff'

/** SQL Lab results as files, written while they are read. */
export function sqllabExportRoutes(app: App, deps: SqllabDeps): void {
  async function send(
    request: ExportRequest,
    fileName: string | null,
    { reply, ...caller }: Caller & { reply: FastifyReply },
  ): Promise<FastifyReply> {
    const { query, stream } = await exportQuery(deps, caller, request)
    const time = deps.now().toISOString().replaceAll(/[-:]/g, '').replace('T', '_').slice(0, 15)
    const name = fileName ?? `sqllab_${query.tab_name ?? 'query'}_${time}.${request.format}`
    const isMarked = request.format === 'csv' && deps.settings.config.CSV_EXPORT.encoding === 'utf-8-sig'
    reply.type(types[request.format]).header('Content-Disposition', `attachment; ${formatFileName(name)}`)
    return sendPieces(reply, isMarked ? withByteOrderMark(stream.chunks) : stream.chunks)
  }

  serve(app, sqllabExport, ({ params, query, ...call }) => {
    const format = fileFormats.find((candidate) => candidate === (query.format ?? 'csv'))
    if (!format)
      throw new AppError('bad_request', {
        message: message('errors.sqllab.exportFormat', 'format must be one of {formats}.', {
          formats: fileFormats.join(', '),
        }),
      })
    if (query.rows !== undefined && query.rows !== 'all')
      throw new AppError('bad_request', {
        message: message('errors.sqllab.exportRows', 'rows must be "all" or omitted.'),
      })
    return send({ ...params, format, all: query.rows === 'all' }, null, call)
  })
  serve(app, sqllabCsv, ({ params, ...call }) => send({ ...params, format: 'csv', all: false }, null, call))
  serve(app, sqllabExportStreaming, ({ body: { client_id, filename }, ...call }) => {
    if (!client_id)
      throw new AppError('bad_request', { message: message('errors.sqllab.noClientId', 'client_id is required') })
    return send({ client_id, format: 'csv', all: false }, filename?.trim() || null, call)
  })
}

async function* withByteOrderMark(chunks: AsyncIterable<Buffer>) {
  yield Buffer.from(byteOrderMark)
  yield* chunks
}

/**
 * A name that is safe in headers and folders, and the same with its original letters for clients that support them (RFC 6266).
 */
function formatFileName(name: string): string {
  const safe = [...name].map((letter) => (letter < ' ' || '/\\:*?"<>|\u007f'.includes(letter) ? '_' : letter)).join('')
  const ascii = safe.replaceAll(/[^\u0020-\u007e]/g, '_')
  const encoded = encodeURIComponent(safe).replaceAll(/['()]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  return `filename="${ascii}"${ascii === safe ? '' : `; filename*=UTF-8''${encoded}`}`
}
