import { type ErrorCode, errorCodes } from './error-codes.ts'
import { MessageError, translateMessage, type Message } from './message.ts'
import { englishTranslator, type Translate } from './translate.ts'

/** Errors of a body by field. Lists of objects use item numbers as keys; `_schema` is the body itself. */
export interface FieldErrors {
  [field: string]: string | (string | FieldErrors)[] | FieldErrors
}

/** Like `FieldErrors`, with messages of the catalog. */
export interface FieldMessages {
  [field: string]: string | Message | readonly (string | Message | FieldMessages)[] | FieldMessages
}

export interface AppErrorOptions {
  /** Message for the user; defaults to that of the error code. A string is not translated. */
  message?: string | Message
  /** `{ field: [messages] }`: becomes the `message` object of the plain body. */
  fields?: FieldMessages
  /** Facts that the caller may see, sent in `extra` of the typed body. Never secrets, paths or SQL values. */
  details?: Record<string, unknown>
  /** Messages by file or field that are sent with the details, such as the problems of an import. */
  detailMessages?: FieldMessages
  /** Overrides the status of the error code, for routes whose recorded responses differ. */
  status?: number
  cause?: unknown
}

/** An expected failure. Any other thrown error is a bug: status 500 and a full log entry. */
export class AppError extends MessageError {
  readonly code: ErrorCode
  readonly status: number
  /** In English, like `message`. */
  readonly fields: FieldErrors | undefined
  /** With `detailMessages` in English. */
  readonly details: Record<string, unknown>
  readonly #fields: FieldMessages | undefined
  readonly #detailMessages: FieldMessages | undefined
  constructor(code: ErrorCode, { message, fields, details = {}, detailMessages, status, cause }: AppErrorOptions = {}) {
    super(message ?? { id: `errors.code.${code}`, text: errorCodes[code].message }, { cause })
    this.name = 'AppError'
    this.code = code
    this.status = status ?? errorCodes[code].status
    this.fields = fields && translateFields(fields, englishTranslator)
    this.details = detailMessages ? { ...details, ...translateFields(detailMessages, englishTranslator) } : details
    this.#fields = fields
    this.#detailMessages = detailMessages
  }

  /** The error's own catalog message; undefined for the default message of the code and for untranslated text. */
  get text(): Message | undefined {
    const { sentence } = this
    return typeof sentence === 'string' || sentence.id === `errors.code.${this.code}` ? undefined : sentence
  }

  /** `fields` as given, to pass them on in another error. */
  get fieldMessages(): FieldMessages | undefined {
    return this.#fields
  }

  /** The part of `details` that can be translated. */
  get detailMessages(): FieldMessages | undefined {
    return this.#detailMessages
  }

  /** Returns the same failure with a better message and this one as its cause. */
  wrap({ message = this.sentence, details = {} }: Pick<AppErrorOptions, 'message' | 'details'>): AppError {
    const { code, status, detailMessages } = this
    return new AppError(code, {
      message,
      status,
      details: { ...this.details, ...details },
      ...(detailMessages && { detailMessages }),
      cause: this,
    })
  }

  /** Returns the same failure in the language of `say`. */
  translate(say: Translate): AppError {
    const { code, status, details, detailMessages } = this
    const fields = this.#fields && translateFields(this.#fields, say)
    return new AppError(code, {
      message: translateMessage(this.sentence, say),
      ...(fields && { fields }),
      status,
      details,
      ...(detailMessages && { detailMessages: translateFields(detailMessages, say) }),
      cause: this.cause,
    })
  }
}

function translateFields(fields: FieldMessages, say: Translate): FieldErrors {
  // Some recorded responses have a list instead of the fields.
  if (Array.isArray(fields)) return fields.map((each) => translateFieldError(each, say)) as unknown as FieldErrors
  const entries = Object.entries(fields).map(([field, problem]) => [field, translateFieldError(problem, say)] as const)
  return Object.fromEntries(entries)
}

/** One of the messages of an error in the language of the reader. */
export function translateFieldError(problem: FieldMessages[string], say: Translate): FieldErrors[string] {
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
  /** Id and values of the catalog message, if any. */
  text?: Message
  details: Record<string, unknown>
  /** The part of `details` that can be translated, if any. */
  detailMessages?: FieldMessages
  status?: number
}

/**
 * Serializes an error for the channel. An error that is not an AppError becomes `internal` with its message; its stack is not
 * sent.
 */
export const toWire = (error: unknown): WireError =>
  error instanceof AppError
    ? {
        code: error.code,
        message: error.message,
        ...(error.text && { text: error.text }),
        details: error.details,
        ...(error.detailMessages && { detailMessages: error.detailMessages }),
        status: error.status,
      }
    : { code: 'internal', message: error instanceof Error ? error.message : String(error), details: {} }

/** Deserializes an error so that it can be thrown here; the original `cause` is not sent. */
export const fromWire = ({ code, message, text, details, detailMessages, status }: WireError): AppError =>
  new AppError(code, {
    message: text ?? message,
    details,
    ...(detailMessages && { detailMessages }),
    ...(status !== undefined && { status }),
  })
