import { type ErrorCode, errorCodes } from './error-codes.ts'
import { translateMessage, type Message } from './message.ts'
import { englishTranslator, type Translate } from './translate.ts'

/** Errors of a body by field; lists of objects have their items' numbers as keys. `_schema` is the body itself. */
export interface FieldErrors {
  [field: string]: string | (string | FieldErrors)[] | FieldErrors
}

/** As `FieldErrors`, with sentences of the message catalog. */
export interface FieldMessages {
  [field: string]: string | Message | readonly (string | Message | FieldMessages)[] | FieldMessages
}

export interface AppErrorOptions {
  /** A sentence for the user; the one of the error code when left out. A string is shown as it is in each language. */
  message?: string | Message
  /** `{ field: [sentences] }`: becomes the `message` object of the plain body. */
  fields?: FieldMessages
  /** Facts that the caller may see: goes into `extra` of the typed body. Never secrets, paths or SQL values. */
  details?: Record<string, unknown>
  /** Replaces the status of the error code, for routes whose recorded answers need another one. */
  status?: number
  cause?: unknown
}

/** An expected failure. Anything else that is thrown is our bug: 500 and a full log. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** In English, as `message` is. */
  readonly fields: FieldErrors | undefined
  readonly details: Record<string, unknown>
  readonly #message: string | Message
  readonly #fields: FieldMessages | undefined
  constructor(code: ErrorCode, { message, fields, details = {}, status, cause }: AppErrorOptions = {}) {
    const sentence = message ?? { id: `errors.code.${code}`, text: errorCodes[code].message }
    super(translateMessage(sentence, englishTranslator), { cause })
    this.name = 'AppError'
    this.code = code
    this.status = status ?? errorCodes[code].status
    this.fields = fields && translateFields(fields, englishTranslator)
    this.details = details
    this.#message = sentence
    this.#fields = fields
  }

  /** The own message in the catalog; undefined for the one of the error code and for a text that is the same in each language. */
  get text(): Message | undefined {
    return typeof this.#message === 'string' || this.#message.id === `errors.code.${this.code}`
      ? undefined
      : this.#message
  }

  /** The same failure with a better message, and this one as its cause. */
  wrap({ message = this.#message, details = {} }: Pick<AppErrorOptions, 'message' | 'details'>): AppError {
    const { code, status } = this
    return new AppError(code, { message, status, details: { ...this.details, ...details }, cause: this })
  }

  /** The same failure in the language of `say`. */
  translate(say: Translate): AppError {
    const { code, status, details } = this
    const fields = this.#fields && translateFields(this.#fields, say)
    return new AppError(code, {
      message: translateMessage(this.#message, say),
      ...(fields && { fields }),
      status,
      details,
      cause: this.cause,
    })
  }
}

function translateFields(fields: FieldMessages, say: Translate): FieldErrors {
  // Some recorded answers have a list in place of the fields.
  if (Array.isArray(fields)) return fields.map((each) => translateFieldError(each, say)) as unknown as FieldErrors
  const entries = Object.entries(fields).map(([field, problem]) => [field, translateFieldError(problem, say)] as const)
  return Object.fromEntries(entries)
}

function translateFieldError(problem: FieldMessages[string], say: Translate): FieldErrors[string] {
  if (typeof problem === 'string' || isMessage(problem)) return translateMessage(problem, say)
  if (Array.isArray(problem))
    return (problem as (string | Message | FieldMessages)[]).map((each) =>
      typeof each === 'string' || isMessage(each) ? translateMessage(each, say) : translateFields(each, say),
    )
  return translateFields(problem as FieldMessages, say)
}

const isMessage = (problem: object): problem is Message =>
  'text' in problem && 'id' in problem && typeof problem.id === 'string' && problem.id.startsWith('errors.')

/** An AppError as plain JSON, for the channel between server and runner and for streams. */
export interface WireError {
  code: ErrorCode
  message: string
  /** Id and values of the message in the catalog, where it has them. */
  text?: Message
  details: Record<string, unknown>
  status?: number
}

/** An error as a runner sends it. An error that is not an AppError becomes `internal` with its message; its stack stays behind. */
export const toWire = (error: unknown): WireError =>
  error instanceof AppError
    ? {
        code: error.code,
        message: error.message,
        ...(error.text && { text: error.text }),
        details: error.details,
        status: error.status,
      }
    : { code: 'internal', message: error instanceof Error ? error.message : String(error), details: {} }

/** The error again, to be thrown on this side; the `cause` of the other side does not travel. */
export const fromWire = ({ code, message, text, details, status }: WireError): AppError =>
  new AppError(code, { message: text ?? message, details, ...(status !== undefined && { status }) })
