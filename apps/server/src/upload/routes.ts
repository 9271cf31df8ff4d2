import {
  AppError,
  message,
  type Message,
  translateMessage,
  type UploadFormat,
  type UploadLoadRequest,
  uploadRoutes as routes,
} from '@parquetry/model'
import { overwriteText } from '@parquetry/model/table-file/names'
import { toColumnNames } from '@parquetry/model/table-file/names'
import { uploadFormatOf } from '@parquetry/model/table-file/guess'
import type { App } from '../http/app.ts'
import { requesterKey, type Principal } from '../access/principal.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import type { AuditEvent } from '../store/audit-log.ts'
import { errorTranslator } from '../settings/messages.ts'
import { toAppError } from '../store/failure.ts'
import type { UploadDeps } from './deps.ts'
import { formUploadRoutes } from './form-routes.ts'
import { loadTable, canChangeTable, findExisting, tableExists } from './load-table.ts'
import { canUploadAny, authorizeUpload } from './rights.ts'
import { checkNewTableName } from '../connection/new-table-name.ts'
import { requireTableSpace } from '../connection/table-quota.ts'
import { findTableDatabase, listOwnTables, removeTable, renameTable } from './tables.ts'
import { findTarget, ensureTarget, listTargets } from './targets.ts'
import { type Upload, Uploads } from './uploads.ts'

/** `/api/v1/upload/`, and the legacy endpoints below `/api/v1/database/`. */
export function uploadRoutes(app: App, deps: UploadDeps): void {
  const uploads = new Uploads(deps)
  formUploadRoutes(app, deps, uploads)
  const findOwn = (id: string, principal: Principal): Upload => {
    authorizeUpload(principal)
    return uploads.find(id, principal.id)
  }

  serve(app, routes.targets, async ({ principal }) => {
    if (!canUploadAny(principal)) authorizeUpload(principal)
    const { databases, makes } = await listTargets(readContext(app, principal))
    const result = databases.map(({ id, database_name }) => ({ id, database_name }))
    return { result, makes, max_bytes: uploads.limit }
  })
  serve(app, routes.taken, async ({ query, principal }) => {
    authorizeUpload(principal)
    const context = readContext(app, principal)
    const database = await findTarget(context, query.database ?? null)
    if (!database) return { taken: false, may_replace: true }
    const existing = await findExisting(context, database, query.table_name)
    if (!existing.table) return { taken: false, may_replace: true }
    return { taken: true, may_replace: await canChangeTable(context, database, existing) }
  })
  serve(app, routes.begin, async ({ body, principal, event, reply }) => {
    const format = requireFormat(body.file_name)
    authorizeUpload(principal, format)
    await requireTableSpace(deps.db, principal.id, deps.settings.config.UPLOAD_QUOTA_MB)
    const { state } = await uploads.begin(principal.id ?? 0, body.size, format)
    event.json = { size: body.size, format }
    return reply.code(201).send(state)
  })
  serve(app, routes.part, async ({ params, query, principal, request }) => {
    const upload = findOwn(params.id, principal)
    await uploads.receive(upload, query.offset, request.raw)
    return upload.state
  })
  serve(app, routes.state, ({ params, principal }) => findOwn(params.id, principal).state)
  serve(app, routes.look, ({ params, body, principal, signal }) => {
    const { path, format } = requireReceived(findOwn(params.id, principal))
    return deps.runners.previewFile({ path, format, givenStyle: body }, signal, requesterKey(principal))
  })
  serve(app, routes.load, async ({ params, body, principal, event, reply }) => {
    const upload = requireReceived(findOwn(params.id, principal))
    authorizeUpload(principal, upload.format)
    checkLoad(body, upload)
    event.json = { table: body.table_name }
    const loading = await prepareLoad(app, deps, upload, body, { principal, event: { ...event } })
    void loading.run().then(() => (upload.state.state === 'ready' ? uploads.finish(upload) : undefined))
    return reply.code(202).send(upload.state)
  })
  const writeContext = (principal: Principal, event: AuditEvent, signal: AbortSignal) => ({
    ...readContext(app, principal),
    event,
    deps,
    signal,
  })
  serve(app, routes.tables, async ({ principal }) => {
    if (principal.kind !== 'user') authorizeUpload(principal)
    return { result: await listOwnTables(readContext(app, principal)) }
  })
  serve(app, routes.renameTable, async ({ body, principal, event, signal }) => {
    checkNewTableName(body.new_name)
    event.json = { table: body.table_name, name: body.new_name }
    const context = writeContext(principal, event, signal)
    const database = await findTableDatabase(context, body.database, body.table_name)
    await renameTable(context, database, body.table_name, body.new_name)
    return { message: 'OK' }
  })
  serve(app, routes.removeTable, async ({ query, principal, event, signal }) => {
    event.json = { table: query.table_name }
    const context = writeContext(principal, event, signal)
    const database = await findTableDatabase(context, query.database, query.table_name)
    await removeTable(context, database, query.table_name)
    return { message: 'OK' }
  })
  serve(app, routes.cancel, async ({ params, principal }) => {
    await uploads.remove(findOwn(params.id, principal))
    return { message: 'OK' }
  })
}

const oldExcelMessage = message(
  'errors.upload.oldExcel',
  'Old Excel files (.xls) cannot be read. Open the file in a spreadsheet program and save it as .xlsx.',
)
const otherFormatMessage = message(
  'errors.upload.otherFormat',
  'Only CSV, TSV, JSON, Parquet and Excel (.xlsx) files can be added.',
)
const alreadyLoadedMessage = message('errors.upload.alreadyLoaded', 'The file is already loaded or being loaded.')

/** @throws AppError `unsupported_media` */
function requireFormat(fileName: string): UploadFormat {
  const format = uploadFormatOf(fileName)
  if (format) return format
  throw new AppError('unsupported_media', { message: /\.xls$/i.test(fileName) ? oldExcelMessage : otherFormatMessage })
}

/** Requires a file that is complete and not being loaded. */
function requireReceived(upload: Upload): Upload {
  const { state } = upload.state
  if (state === 'receiving')
    throw new AppError('conflict', {
      message: message('errors.upload.incomplete', 'The file is not completely uploaded yet.'),
    })
  if (state === 'loading' || state === 'ready') throw new AppError('conflict', { message: alreadyLoadedMessage })
  return upload
}

function checkLoad({ already_exists, overwrite, columns, style, width }: UploadLoadRequest, upload: Upload): void {
  const refusal = (text: Message) => new AppError('unprocessable', { message: text })
  if (already_exists === 'replace' && overwrite !== overwriteText)
    throw refusal(message('errors.upload.overwrite', 'Type {text} to replace the table.', { text: overwriteText }))
  if (style.format !== upload.format)
    throw refusal(message('errors.upload.formatChanged', 'The format does not match the format of the uploaded file.'))
  const names = columns.map(({ name }) => name)
  if (JSON.stringify(toColumnNames(names)) !== JSON.stringify(names))
    throw refusal(
      message(
        'errors.upload.columnNames',
        'Column names must be unique, and cannot contain control characters or extra spaces.',
      ),
    )
  if (columns.some(({ source }) => typeof source === 'number' && source >= width))
    throw refusal(message('errors.upload.columnOutside', 'A column refers to a position outside the file.'))
  const isText = style.format === 'csv' || style.format === 'xlsx'
  if (columns.some(({ source }) => (typeof source === 'number') !== isText))
    throw refusal(message('errors.upload.columnSource', 'A column does not refer to a column of the file.'))
}

/** Performs all checks that can fail immediately, before the response; the load itself continues after it. */
async function prepareLoad(
  app: App,
  deps: UploadDeps,
  upload: Upload,
  body: UploadLoadRequest,
  caller: { principal: Principal; event: AuditEvent },
): Promise<{ run: () => Promise<void> }> {
  const { state, path } = upload
  const running = new AbortController()
  const context = { ...readContext(app, caller.principal), event: caller.event, deps, signal: running.signal }
  const database = await ensureTarget(deps, context, body.database)
  const { table_name, already_exists, style, width, columns, consent } = body
  const { table } = await findExisting(context, database, table_name)
  if (!table) checkNewTableName(table_name)
  else if (already_exists === 'fail') throw tableExists(table.name)
  if (state.state === 'loading') throw new AppError('conflict', { message: alreadyLoadedMessage })
  Object.assign(state, {
    state: 'loading',
    progress: 0,
    result: null,
    error: null,
    database_id: database.id,
    table_name,
  })
  upload.running = running
  const file = { path, style, width, columns, consent }
  return {
    async run() {
      try {
        const order = { database, table_name, already_exists, file }
        const { loaded, dataset_id } = await loadTable(context, order, (percent) => (state.progress = percent))
        Object.assign(state, { state: loaded.written ? 'ready' : 'refused', result: loaded, dataset_id })
      } catch (error) {
        const failure = toAppError(error)
        const isExpected = failure.code !== 'internal'
        if (!isExpected) deps.log.error({ err: error }, 'upload could not be loaded')
        const reason = isExpected
          ? failure.sentence
          : message('errors.upload.failed', 'Could not load the file. See the server log for details.')
        Object.assign(state, {
          state: 'failed',
          error: translateMessage(reason, errorTranslator(deps.settings)),
        })
      } finally {
        upload.running = null
      }
    },
  }
}
