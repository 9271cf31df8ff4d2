import type { Bundle, BundleSource } from '@parquetry/bundle'
import {
  AppError,
  type FieldMessages,
  type ImportEnd,
  type ImportProgress,
  message,
  type Message,
} from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { datasetAccess } from '../access/access.ts'
import { requesterKey, type Principal } from '../access/principal.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import { toConnectionRules } from '../database/save-database.ts'
import { typedError } from '../http/errors.ts'
import { parseJson } from '../http/json-body.ts'
import { firstValues, isMultipart, readMultipart } from '../http/multipart.ts'
import { redirect } from '../http/redirect.ts'
import type { ReadContext } from '../http/resource.ts'
import type { OpenBundle } from '../runners/runners.ts'
import { errorTranslator } from '../settings/messages.ts'
import type { AuditEvent } from '../store/audit-log.ts'
import { formatStoredTime } from '../store/time.ts'
import { importBundle, type ImportOptions, tryImport, withPlan } from './import-bundle.ts'
import type { ImportPlan } from './import-plan.ts'
import { summarize } from './import-summary.ts'

/** Rules of one import call. */
export interface ImportCallRules {
  /** Form field of the archive. */
  fileFields: readonly string[]
  /** Heading of the problems. */
  failure: Message
  /** Existing objects are always replaced. */
  alwaysOverwrites: boolean
  /** With `sparse`, the bundle may refer to objects that exist here. */
  mayBeSparse?: boolean
  /** Page that a browser shows after the import. */
  leadsTo?: string
  /** @throws AppError `unprocessable` for a bundle that this call does not import */
  admit(metadata: Bundle['metadata']): void
}

interface ImportCall {
  principal: Principal
  event: AuditEvent
  signal: AbortSignal
  request: FastifyRequest
  reply: FastifyReply
}

const notJsonField = (name: string, cause: unknown): AppError =>
  new AppError('bad_request', {
    message: message('errors.bundle.jsonField', 'The field {name} is not a JSON object.', { name }),
    cause,
  })

/** Parses a form field that contains JSON: secrets by the path of their file. */
function parseSecrets(fields: Record<string, string>, name: string): Record<string, string> {
  try {
    const found: unknown = parseJson(fields[name] || '{}')
    if (typeof found !== 'object' || found === null) throw new Error('not an object')
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch (cause) {
    throw notJsonField(name, cause)
  }
}

/** A list of paths; undefined without the field. */
function parsePaths(fields: Record<string, string>, name: 'only' | 'only_new'): Set<string> | undefined {
  const text = fields[name]
  if (text === undefined || text === '') return undefined
  try {
    const found: unknown = parseJson(text)
    if (!Array.isArray(found) || !found.every((path) => typeof path === 'string'))
      throw new Error('not a list of texts')
    return new Set(found)
  } catch (cause) {
    throw new AppError('bad_request', {
      message: message('errors.bundle.pathList', 'The field {name} is not a JSON list of paths.', { name }),
      cause,
    })
  }
}

const fieldsLimit = 4 << 20

const importTooLarge = (limit: number): AppError =>
  new AppError('too_large', {
    message: message(
      'errors.bundle.uploadTooLarge',
      'The file is larger than {mb, number} MB, the limit IMPORT_UPLOAD_LIMIT_MB of this server.',
      { mb: limit / 2 ** 20 },
    ),
  })

/** Reads the form. Its archive is a temporary file in the home folder, deleted after use. */
async function withForm<T>(
  { settings }: ConnectionDeps,
  request: FastifyRequest,
  { fileFields }: ImportCallRules,
  handle: (fields: Record<string, string>, path: string) => Promise<T>,
): Promise<T> {
  if (!isMultipart(request))
    throw new AppError('not_json', {
      message: message('errors.bundle.notForm', "Request MIME type is not 'multipart/form-data'"),
    })
  const folder = join(settings.home, 'uploads')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const limit = settings.config.IMPORT_UPLOAD_LIMIT_MB * 2 ** 20
  const { fields, fileName } = await readMultipart(request, {
    limit: fieldsLimit,
    file: { fields: fileFields, path, limit, tooLarge: () => importTooLarge(limit) },
  })
  if (fileName === undefined)
    throw new AppError('bad_request', {
      message: message('errors.bundle.noFile', 'The file is missing. Send it in the field formData.'),
    })
  try {
    return await handle(firstValues(fields), path)
  } finally {
    await rm(path, { force: true })
  }
}

/** Sends lines of JSON while the work goes on, and its answer as the last one. Resolves when the work has ended. */
async function streamProgress(
  { reply, signal }: Pick<ImportCall, 'reply' | 'signal'>,
  work: (onProgress: (progress: ImportProgress) => void) => Promise<ImportEnd>,
  toEnd: (error: AppError) => ImportEnd,
): Promise<FastifyReply> {
  const lines = new PassThrough()
  const progressMs = 200
  let sentAt = 0
  void reply.type('application/x-ndjson').header('X-Accel-Buffering', 'no').send(lines)
  try {
    const end = await work((progress) => {
      const now = performance.now()
      if (now - sentAt < progressMs) return
      sentAt = now
      lines.write(`${JSON.stringify({ progress })}\n`)
    })
    lines.end(`${JSON.stringify({ end })}\n`)
  } catch (error) {
    // The status has been sent, so the error is the last line.
    const failure = error instanceof AppError ? error : new AppError('internal', { cause: error })
    // Cancelling is not a failure.
    if (signal.aborted) reply.log.info('import canceled')
    else reply.log.error({ err: error }, 'import failed')
    lines.end(`${JSON.stringify({ end: toEnd(failure) })}\n`)
  }
  return reply
}

/**
 * `POST /api/v1/<resource>/import/`: a bundle in a form, with secrets of its new databases in other fields. Problems are returned
 * by file path; with `preview` they are part of the summary.
 */
export async function importUpload(
  deps: ConnectionDeps,
  call: ImportCall,
  context: ReadContext,
  rules: ImportCallRules,
): Promise<FastifyReply> {
  return withForm(deps, call.request, rules, async (fields, path) => {
    const run = (onProgress?: (progress: ImportProgress) => void) =>
      runImport(deps, call, context, { rules, fields, path, onProgress })
    if (call.request.headers.accept?.includes('application/x-ndjson'))
      return streamProgress(call, run, (error) => ({
        status: error.status,
        body: { errors: [typedError(error, errorTranslator(deps.settings))] },
      }))
    const { status, body } = await run()
    if (rules.leadsTo !== undefined && status === 200) return redirect(call.reply, rules.leadsTo)
    return call.reply.code(status).send(body)
  })
}

interface ImportRun {
  rules: ImportCallRules
  fields: Record<string, string>
  path: string
  onProgress: ((progress: ImportProgress) => void) | undefined
}

async function runImport(
  deps: ConnectionDeps,
  { principal, event, signal, request }: ImportCall,
  context: ReadContext,
  { rules, fields, path, onProgress }: ImportRun,
): Promise<ImportEnd> {
  const { settings } = deps
  const secrets = {
    keys: deps.keys,
    rules: toConnectionRules(deps),
    passwords: parseSecrets(fields, 'passwords'),
    tunnel: {
      password: parseSecrets(fields, 'ssh_tunnel_passwords'),
      private_key: parseSecrets(fields, 'ssh_tunnel_private_keys'),
      private_key_password: parseSecrets(fields, 'ssh_tunnel_private_key_passwords'),
    },
  }
  const only = parsePaths(fields, 'only')
  const onlyNew = parsePaths(fields, 'only_new')
  const preview = fields['preview'] === 'true'
  const overwrite = rules.alwaysOverwrites || fields['overwrite'] === 'true'
  const translate = errorTranslator(settings)
  let source: OpenBundle | undefined
  try {
    source = await deps.runners.readBundle(path, signal, requesterKey(principal), onProgress)
    rules.admit(source.metadata)
    const options: ImportOptions = {
      authorId: principal.id,
      principal,
      importer: { context, deps, signal, apiKey: request.identity?.apiKey },
      at: formatStoredTime(deps.now()),
      overwrite,
      sparse: rules.mayBeSparse === true && fields['sparse'] === 'true',
      ...(only && { only }),
      ...(onlyNew && { onlyNew }),
      preview,
      hasTags: settings.flags['TAGGING_SYSTEM'] === true,
      imageQuotaMb: settings.config.IMAGE_QUOTA_MB,
      failure: rules.failure,
      secrets,
      signal,
      onPlanned: (plan) => addLines(deps, plan, path, { signal, principal }),
      ...(onProgress && { onProgress }),
    }
    const summary = preview ? await previewBundle(deps, source, options) : await importBundle(deps.db, source, options)
    event.json = { overwrite, ...(preview && { preview }) }
    // Clients of the API compare the whole answer.
    const isPlain = !preview && onProgress === undefined
    return { status: 200, body: { message: 'OK', ...(!isPlain && { parquetry: summarize(summary, translate) }) } }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unprocessable') throw error
    // Problems of files have the heading of the call, wherever they were found.
    const found = error.detailMessages ? error.wrap({ message: rules.failure }) : error
    return { status: 422, body: { errors: [{ ...typedError(found, translate), level: 'warning' }] } }
  } finally {
    await source?.close()
  }
}

/** The plan of an import; for importers with limited access also with what only the import itself would find. */
async function previewBundle(
  { db }: Pick<ConnectionDeps, 'db'>,
  source: BundleSource,
  options: ImportOptions,
): Promise<{ plan: ImportPlan; ids: ReadonlyMap<string, number> }> {
  return withPlan(db, source, options, async (plan) => {
    const hasProblems = plan.objects.some(({ problems }) => problems !== undefined)
    if (!hasProblems && options.principal && datasetAccess(options.principal))
      await tryImport(db, source, plan, options)
    return { plan, ids: new Map() }
  })
}

/** Each line is searched for in a runner. */
const maxLines = 20

/** Adds the line of the field to problems of fields, where the file has it. */
async function addLines(
  { runners }: Pick<ConnectionDeps, 'runners'>,
  { objects }: ImportPlan,
  archive: string,
  { signal, principal }: Pick<ImportCall, 'signal' | 'principal'>,
): Promise<void> {
  let found = 0
  for (const object of objects) {
    const { problems, path } = object
    if (!isByField(problems)) continue
    const entries = Object.entries(problems)
    for (const [index, [field, reasons]] of entries.entries()) {
      if (field === '_schema' || !Array.isArray(reasons) || ++found > maxLines) continue
      const line = await runners.findBundleLine(archive, path, [field], signal, requesterKey(principal))
      if (line === undefined) continue
      entries[index] = [field, (reasons as (string | Message)[]).map((reason) => atLine(reason, line))]
    }
    object.problems = Object.fromEntries(entries)
  }
}

const atLine = (reason: string | Message, line: number): Message =>
  message('errors.bundle.atLine', '{reason} (line {line})', { reason, line })

const isByField = (problems: FieldMessages[string] | undefined): problems is FieldMessages =>
  typeof problems === 'object' && !Array.isArray(problems) && !('text' in problems)
