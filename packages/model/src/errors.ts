import { type ErrorCode, errorCodes } from './error-codes.ts'

/** What is wrong with a body, by field; lists of objects have their items' numbers as keys. `_schema` is the body itself. */
export interface FieldErrors {
  [field: string]: string | string[] | FieldErrors
}

export interface AppErrorOptions {
  /** A sentence for the user; the table's when left out. */
  message?: string
  /** `{ field: [sentences] }`: becomes the `message` object of the plain body. */
  fields?: FieldErrors
  /** What the caller may see of it: goes into `extra` of the typed body. Never secrets, paths or SQL values. */
  details?: Record<string, unknown>
  /** Another status than the table's, for the routes whose recorded answers need it. */
  status?: number
  cause?: unknown
}

/** An expected failure. Anything else that is thrown is our bug: 500 and a full log. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields: FieldErrors | undefined
  readonly details: Record<string, unknown>
  constructor(code: ErrorCode, { message, fields, details = {}, status, cause }: AppErrorOptions = {}) {
    super(message ?? errorCodes[code].message, { cause })
    this.name = 'AppError'
    this.code = code
    this.status = status ?? errorCodes[code].status
    this.fields = fields
    this.details = details
  }

  /** The same failure told by somebody who knows more of it, with this one as its cause. */
  retold({ message = this.message, details = {} }: Pick<AppErrorOptions, 'message' | 'details'>): AppError {
    const { code, status } = this
    return new AppError(code, { message, status, details: { ...this.details, ...details }, cause: this })
  }
}

/** An AppError as plain JSON, for the channel between server and runner. */
export interface WireError {
  code: ErrorCode
  message: string
  details: Record<string, unknown>
  status?: number
}

/** An error as a runner sends it; one that is no AppError becomes `internal` with its message, its stack stays. */
export const toWire = (error: unknown): WireError =>
  error instanceof AppError
    ? { code: error.code, message: error.message, details: error.details, status: error.status }
    : { code: 'internal', message: error instanceof Error ? error.message : String(error), details: {} }

/** The error again, to be thrown on this side; the vendor's `cause` does not travel. */
export const fromWire = ({ code, message, details, status }: WireError): AppError =>
  new AppError(code, { message, details, ...(status !== undefined && { status }) })
