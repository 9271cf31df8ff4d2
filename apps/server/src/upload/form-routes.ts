import { rm } from 'node:fs/promises'
import { AppError, message, type UploadFormat, type FileLoadResult, formUploadRoutes as routes } from '@parquetry/model'
import type { LineCounts } from '@parquetry/model/table-file/file-preview'
import { nullMarkers } from '@parquetry/model/table-file/types'
import type { FastifyRequest } from 'fastify'
import { requesterKey } from '../access/principal.ts'
import type { DatasetWriteContext } from '../dataset/save-dataset.ts'
import type { App } from '../http/app.ts'
import { readContext } from '../http/serve-resource.ts'
import { type Call, serve } from '../http/serve.ts'
import { invalidPayload } from '../http/writing.ts'
import type { UploadDeps } from './deps.ts'
import { resolveColumns, type FormKind, type FormOptions, readOptions } from './form-options.ts'
import { loadTable, type LoadOrder } from './load-table.ts'
import { readForm, type UploadForm } from './read-form.ts'
import { requireTableSpace } from '../connection/table-quota.ts'
import { findTarget, mainSchema } from './targets.ts'
import type { Uploads } from './uploads.ts'

const formats: Record<FormKind, UploadFormat> = { csv: 'csv', excel: 'xlsx', columnar: 'parquet' }
const maxSheets = 50

/** Endpoints for other clients: one form with the file and its options. */
export function formUploadRoutes(app: App, deps: UploadDeps, uploads: Uploads): void {
  const { config } = deps.settings
  const extensions: Record<FormKind, readonly string[]> = {
    csv: config.CSV_EXTENSIONS,
    excel: config.EXCEL_EXTENSIONS,
    columnar: config.COLUMNAR_EXTENSIONS,
  }
  const limit = config.UPLOAD_FORM_LIMIT_MB * 2 ** 20

  /** Reads the form, works with its file, and deletes the file. */
  async function withForm<T>(
    request: FastifyRequest,
    kind: FormKind | null,
    handle: (form: UploadForm, kind: FormKind) => Promise<T>,
  ): Promise<T> {
    const form = await readForm(request, await uploads.newPath(Number(request.headers['content-length'] ?? 0)), limit)
    try {
      return await handle(form, kindOf(form, kind))
    } finally {
      await rm(form.path, { force: true })
    }
  }

  function kindOf({ fields, fileName }: UploadForm, kind: FormKind | null): FormKind {
    const formKind = kind ?? fields.get('type')?.at(-1)
    if (formKind === undefined)
      throw invalidPayload({ type: [message('errors.fields.missing', 'Missing data for required field.')] })
    if (formKind !== 'csv' && formKind !== 'excel' && formKind !== 'columnar')
      throw invalidPayload({ type: [message('errors.upload.type', 'Must be one of: csv, excel, columnar.')] })
    const extension = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''
    const isAllowed = extensions[formKind].includes(extension) && config.ALLOWED_EXTENSIONS.includes(extension)
    if (!isAllowed)
      throw invalidPayload({ file: [message('errors.upload.extension', 'File extension is not allowed.')] })
    if (extension === 'zip')
      throw invalidPayload({
        file: [message('errors.upload.archive', 'ZIP archives are not supported. Send the Parquet file itself.')],
      })
    return formKind
  }

  /** Usual words for null do not make a column text, because the load reads them as null. */
  const previewForm = async (
    { path }: UploadForm,
    kind: FormKind,
    { styleOverrides }: FormOptions,
    requester: FormRequester,
  ) => {
    const { nulls = [] } = styleOverrides
    const told = { ...styleOverrides, nulls: [...nulls, ...nullMarkers] }
    const preview = await deps.runners.previewFile(
      { path, format: formats[kind], givenStyle: told },
      requester.signal,
      requesterKey(requester.principal),
    )
    return { ...preview, style: { ...preview.style, nulls } }
  }

  type FormRequester = Pick<LoadCall, 'principal' | 'signal'>
  type LoadCall = Pick<
    Call<(typeof routes)['upload']>,
    'params' | 'principal' | 'event' | 'signal' | 'request' | 'reply'
  >
  const load =
    (kind: FormKind | null) =>
    async ({ params, principal, event, signal, request, reply }: LoadCall) => {
      const context: DatasetWriteContext = { ...readContext(app, principal), event: { ...event }, deps, signal }
      const database = await findTarget(context, params.id)
      if (!database) throw new AppError('not_found')
      await requireTableSpace(deps.db, principal.id, config.UPLOAD_QUOTA_MB)
      await withForm(request, kind, async (form, found) => {
        const options = readOptions(form, true)
        if (options.schema !== null && options.schema !== mainSchema)
          throw new AppError('unprocessable', {
            message: message(
              'errors.upload.schema',
              'Files cannot be loaded into the schema {schema}. Use {main}, or leave the schema empty.',
              { schema: options.schema, main: mainSchema },
            ),
          })
        const preview = await previewForm(form, found, options, { principal, signal })
        const { style, width } = preview
        const columns = resolveColumns(preview, options)
        const consent = { values: 'usual' as const, lines: 'short' as const }
        const file = {
          path: form.path,
          style,
          width,
          columns,
          consent,
          ...(options.rows !== null && { limit: options.rows }),
        }
        const { table_name, already_exists } = options
        event.json = { table: table_name }
        await loadLeniently(context, { database, table_name, already_exists, file }, options)
      })
      return reply.code(201).send({ message: 'OK' })
    }
  const handleMetadata =
    (kind: FormKind | null) =>
    ({ principal, signal, request }: Pick<Call<(typeof routes)['metadata']>, 'principal' | 'signal' | 'request'>) =>
      withForm(request, kind, async (form, found) => {
        const options = readOptions(form, false)
        const namesIn = (sheet: string | null) =>
          previewForm(
            form,
            found,
            { ...options, styleOverrides: { ...options.styleOverrides, ...(sheet !== null && { sheet }) } },
            { principal, signal },
          ).then(({ columns, sheets }) => ({ sheets, column_names: columns.map(({ name }) => name) }))
        const { sheets, column_names } = await namesIn(null)
        const items: { sheet_name: string | null; column_names: string[] }[] = []
        for (const sheet_name of sheets?.slice(0, maxSheets) ?? [])
          items.push({
            sheet_name,
            column_names: await namesIn(sheet_name).then((found) => found.column_names, emptySheet),
          })
        if (!sheets) items.push({ sheet_name: null, column_names })
        return { result: { items } }
      })

  serve(app, routes.upload, load(null))
  serve(app, routes.csv, load('csv'))
  serve(app, routes.excel, load('excel'))
  serve(app, routes.columnar, load('columnar'))
  serve(app, routes.metadata, handleMetadata(null))
  serve(app, routes.csvMetadata, handleMetadata('csv'))
  serve(app, routes.excelMetadata, handleMetadata('excel'))
  serve(app, routes.columnarMetadata, handleMetadata('columnar'))
}

const emptySheet = (error: unknown): string[] => {
  if (error instanceof AppError && error.code === 'unprocessable') return []
  throw error
}

/**
 * No user is present to consent, so a column whose later values do not match the type of the first ones stays text; only types
 * that the form names must match.
 * @throws AppError `unprocessable` with line and value
 */
async function loadLeniently(context: DatasetWriteContext, order: LoadOrder, { types }: FormOptions): Promise<void> {
  const { loaded } = await loadTable(context, order)
  if (loaded.written) return
  const guessed = loaded.bad.filter(({ name }) => !types.has(name))
  const isAppend = order.already_exists === 'append'
  if (loaded.badLines.long > 0 || isAppend || guessed.length < loaded.bad.length) throw fileMismatch(loaded)
  const textColumns = new Set(guessed.map(({ name }) => name))
  const columns = order.file.columns.map((column) =>
    textColumns.has(column.name) ? { ...column, type: 'text' as const, format: null } : column,
  )
  const retry = await loadTable(context, { ...order, file: { ...order.file, columns } })
  if (!retry.loaded.written) throw fileMismatch(retry.loaded)
}

function fileMismatch({ samples: [first], bad, badLines }: FileLoadResult): AppError {
  const n = sumLines(badLines)
  const lines = message(
    'errors.upload.lines',
    '{n, plural, one {# line does} other {# lines do}} not match the columns of the header.',
    { n },
  )
  if (!first) return new AppError('unprocessable', { message: lines })
  const { line, column, value } = first
  if (column === null)
    return new AppError('unprocessable', {
      message: message(
        'errors.upload.linesFrom',
        'Line {line, number}: {n, plural, one {# line does} other {# lines do}} not match the columns of the header.',
        { line, n },
      ),
    })
  const type = bad.find(({ name }) => name === column)?.type ?? 'value'
  return new AppError('unprocessable', {
    message: message('errors.upload.value', 'Line {line, number}: "{value}" in {column} is not a valid {type}.', {
      line,
      value,
      column,
      type,
    }),
  })
}

const sumLines = ({ short, long }: LineCounts): number => short + long
