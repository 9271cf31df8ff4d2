import {
  AppError,
  errorCodes,
  issueTexts,
  message,
  type ErrorCode,
  type Message,
  refusalCodes,
  type RouteContract,
  type Translate,
} from '@parquetry/model'
import { toAppError } from '../store/failure.ts'

export type ErrorForm = RouteContract['errors']

/** Typed on every route: clients look for these by `error_type`, regardless of the route's error format. */
const alwaysTyped: ReadonlySet<ErrorCode> = new Set([
  'csrf',
  'dataset_access',
  'no_dataset',
  'table_access',
  'query_access',
  'engine_unsupported',
  'method_not_allowed',
  'no_such_address',
] satisfies ErrorCode[])

/** Plain on typed routes as well: a missing permission, a missing object named by the URL, an invalid `q`. */
const alwaysPlain: ReadonlySet<ErrorCode> = new Set([
  'forbidden',
  'not_found',
  'invalid_rison',
  'report_exists',
] satisfies ErrorCode[])

export const noSuchAddress = (): AppError => new AppError('no_such_address')
export const noSuchMethod = (): AppError => new AppError('method_not_allowed')

/** One entry of the typed body (SIP-40), in the language of `translate`. */
export function typedError(error: AppError, translate: Translate) {
  const translated = error.translate(translate)
  const { type, issues } = errorCodes[error.code]
  const issue_codes = issues.map((code) => ({ code, message: issueMessage(code, translate) }))
  const extra = { ...translated.details, ...(issue_codes.length > 0 && { issue_codes }) }
  const hasExtra = Object.keys(extra).length > 0
  return { message: translated.message, error_type: type, level: 'error' as const, extra: hasExtra ? extra : null }
}

const issueMessage = (code: number, translate: Translate): string =>
  translate('errors.http.issue', 'Issue {code} - {text}', {
    code,
    text: translate(`errors.issue.${code}`, issueTexts[code] ?? ''),
  })

/** Error body in the format of the route and the language of `translate`. */
export function errorBody(error: AppError, form: ErrorForm, translate: Translate): Record<string, unknown> {
  const { message: text, fields } = error.translate(translate)
  const denied = { message: translate('errors.http.denied', 'Access is Denied'), severity: 'danger' }
  if (error.details['msg'] !== undefined) return { message: text, msg: error.details['msg'] }
  if (error.code === 'not_signed_in') {
    const body = { message: text, msg: 'Missing Authorization Header' }
    return isLegacyForm(form) ? { ...body, ...denied } : body
  }
  if (fields) return { message: fields }
  const isTyped = form === 'typed' && !alwaysPlain.has(error.code)
  if (isTyped || alwaysTyped.has(error.code)) return { errors: [typedError(error, translate)] }
  if (error.code === 'forbidden' && isLegacyForm(form)) return denied
  return form === 'legacy' ? { error: text } : { message: text }
}

const isLegacyForm = (form: ErrorForm): boolean => form === 'legacy' || form === 'plain-legacy'

/** Status of the error, except that the oldest resources return 422 for an invalid body. */
export const errorStatus = (error: AppError, form: ErrorForm): number =>
  form === 'plain-422' && error.code === 'invalid_payload' ? 422 : error.status

/** Errors that Fastify finds while reading a request. */
const fastifyErrors: Record<string, () => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('too_large'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError('bad_request', {
      message: message('errors.http.contentLength', 'The Content-Length header does not match the size of the body.'),
    }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AppError('unsupported_media'),
  FST_ERR_BAD_URL: noSuchAddress,
  // Fastify requires a content type for this method, which no route serves
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: noSuchMethod,
}

/** Other Fastify errors whose status blames the request. */
function toBadRequest(thrown: unknown): AppError | undefined {
  const { code = '', statusCode: status = 500 } = thrown as { code?: string; statusCode?: number }
  if (!code.startsWith('FST_') || status < 400 || status >= 500) return undefined
  return new AppError('bad_request', { status, cause: thrown })
}

const nameTaken = message(
  'errors.store.nameTaken',
  'Another object with this name was created at the same moment. Choose another name.',
)
const referenceBroken = message(
  'errors.store.referenceBroken',
  'An object that this request refers to was just deleted, or is in use now. Reload and try again.',
)

/**
 * Two concurrent requests can both find a name free or an object present; the store then refuses the later one. Codes of SQLite
 * and of PostgreSQL.
 */
const storeRefusals: Record<string, Message> = {
  SQLITE_CONSTRAINT_UNIQUE: nameTaken,
  23505: nameTaken,
  SQLITE_CONSTRAINT_FOREIGNKEY: referenceBroken,
  23503: referenceBroken,
}

/**
 * PostgreSQL codes for values that are invalid or too large for their column: treated as errors of the request, even if
 * validation should have caught them.
 */
const invalidValueCodes: ReadonlySet<string> = new Set(['22003', '22007', '22008', '22P02'])

/** Converts anything thrown to an error for the caller. Unexpected errors are logged completely and become `internal`. */
export function toResponseError(thrown: unknown, log: { error(facts: object, text: string): void }): AppError {
  if (thrown instanceof AppError) {
    // A busy database would fill the log; refusals are counted instead.
    if (thrown.status >= 500 && !refusalCodes.has(thrown.code)) log.error({ err: thrown }, 'request failed')
    return thrown
  }
  const code = (thrown as { code?: string } | null)?.code ?? ''
  const clientError = fastifyErrors[code]?.() ?? toBadRequest(thrown)
  if (clientError) return clientError
  const refusal = storeRefusals[code]
  if (refusal !== undefined) return new AppError('unprocessable', { message: refusal, cause: thrown })
  if (invalidValueCodes.has(code)) {
    log.error({ err: thrown }, 'the store was given a value that it cannot hold')
    return new AppError('bad_request', {
      message: message('errors.store.valueTooLarge', 'A value in the request is too large to be stored.'),
      cause: thrown,
    })
  }
  // The client has left before it sent the whole body, or before it received the whole answer.
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new AppError('bad_request', { cause: thrown })
  const failure = toAppError(thrown)
  log.error({ err: thrown }, failure.code === 'disk_full' ? 'the disk is full' : 'request failed unexpectedly')
  return failure
}
