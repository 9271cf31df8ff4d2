/** One entry of the API's typed error body. */
export interface TypedError {
  message: string
  error_type: string
  level: 'info' | 'warning' | 'error'
  extra: ({ link?: string; issue_codes?: { code: number; message: string }[] } & Record<string, unknown>) | null
}

/** A failed call. `status` 0 means that there was no response: offline, connection cut or refused. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: TypedError[]
  /** Messages by field, from a `message` object. */
  readonly fields: Record<string, string[]>
  constructor(status: number, message: string, errors: TypedError[] = [], fields: Record<string, string[]> = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.errors = errors
    this.fields = fields
  }
  /** Link for requesting access, when the server sends one (ERR-002). */
  get accessHref(): string | undefined {
    return this.errors.map(({ extra }) => extra?.link).find((link) => typeof link === 'string' && link !== '')
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((text): text is string => typeof text === 'string')

/** Messages by field; fields of nested objects and entries of lists are named like `ssh_tunnel.username` and `form.1.label`. */
const fieldTexts = (field: string, value: unknown): [string, string[]][] =>
  isRecord(value)
    ? Object.entries(value).flatMap(([inner, sentences]) => fieldTexts(`${field}.${inner}`, sentences))
    : [[field, texts(value)]]

/**
 * Reads an error body. The message is the first of: `errors[0].message`, `error`, the first text inside a `message` object,
 * `message`, the status text.
 */
export function parseErrorBody(status: number, statusText: string, body: unknown): ApiError {
  if (!isRecord(body)) return new ApiError(status, statusText || `HTTP ${status}`)
  const errors = Array.isArray(body.errors) ? (body.errors as TypedError[]).filter(isRecord) : []
  const fields = isRecord(body.message)
    ? Object.fromEntries(Object.entries(body.message).flatMap(([field, value]) => fieldTexts(field, value)))
    : {}
  const message =
    errors[0]?.message ??
    texts(body.error)[0] ??
    Object.values(fields).flat()[0] ??
    texts(body.message)[0] ??
    (statusText || `HTTP ${status}`)
  return new ApiError(status, message, errors, fields)
}

/** Reads the error of a failed response. */
export async function parseErrorResponse(response: Response): Promise<ApiError> {
  const text = await response.text()
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {
    // A proxy's HTML page is less useful than the status text.
  }
  return parseErrorBody(response.status, response.statusText, body)
}
