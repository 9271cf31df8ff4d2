import { encodeRison } from '@parquetry/model/rison'
import { boot } from './boot.ts'
import { csrfToken, renewCsrfToken } from './csrf.ts'
import { ApiError, readError } from './errors.ts'
import { markOffline, markOnline } from './online.ts'
import { t } from './intl.ts'
import { askSignIn } from './session.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface CallOptions {
  /** Written as Rison into `?q=`. */
  q?: unknown
  /** Plain parameters; those that are null or undefined are left out. */
  query?: Record<string, string | number | boolean | null | undefined>
  /** Sent as JSON; `FormData`, `URLSearchParams` and `Blob` as they are. */
  body?: unknown
  accept?: string
  signal?: AbortSignal | undefined
  /** A 401 is the answer itself, not the end of the session. */
  quiet?: boolean
  /** The browser keeps the call alive when the page is left. */
  keepalive?: boolean
}

function address(path: string, { q, query }: CallOptions): string {
  const params = new URLSearchParams()
  if (q !== undefined) params.set('q', encodeRison(q))
  for (const [name, value] of Object.entries(query ?? {})) if (value != null) params.set(name, String(value))
  const text = params.toString()
  return text ? `${path}${path.includes('?') ? '&' : '?'}${text}` : path
}

async function fetchOnce(method: Method, path: string, options: CallOptions): Promise<Response> {
  const { body, accept = 'application/json', signal, keepalive } = options
  const plain = body instanceof FormData || body instanceof URLSearchParams || body instanceof Blob
  const headers: Record<string, string> = { Accept: accept }
  if (body !== undefined && !plain) headers['Content-Type'] = 'application/json'
  if (body instanceof Blob) headers['Content-Type'] = 'application/octet-stream'
  if (method !== 'GET') headers['X-CSRFToken'] = csrfToken()
  try {
    const response = await fetch(address(path, options), {
      method,
      headers,
      ...(body !== undefined && { body: plain ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
    })
    markOnline()
    return response
  } catch (error) {
    if (signal?.aborted) throw error
    markOffline()
    throw new ApiError(0, t('shared.error.network', 'Network error.'))
  }
}

async function failure(response: Response): Promise<ApiError> {
  const text = await response.text()
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {
    // A proxy's HTML page says less than the status.
  }
  return readError(response.status, response.statusText, body)
}

/**
 * One call, its answer unread: for bytes and streams. When the session is over it opens the sign-in dialog over the page, waits,
 * and sends the call once more, so that nothing typed is lost; the same with a CSRF token that ran out.
 * @throws ApiError for every status of 400 and more, and with status 0 when no answer came; AbortError when `signal` says so
 */
export async function send(method: Method, path: string, options: CallOptions = {}): Promise<Response> {
  let response = await fetchOnce(method, path, options)
  // With GLOBAL_ASYNC_QUERIES chart data is answered later.
  if (response.status === 202 && path === '/api/v1/chart/data')
    return (await import('./await-job.ts')).awaitJob(response, options)
  if (response.ok) return response
  let error = await failure(response)
  if (!options.quiet && !boot.user.isAnonymous) {
    const isCsrf = response.status === 400 && error.message.includes('CSRF')
    const again =
      response.status === 401 ? await askSignIn() : isCsrf && ((await renewCsrfToken()) || (await askSignIn()))
    if (again) {
      response = await fetchOnce(method, path, options)
      if (response.ok) return response
      error = await failure(response)
    } else if (isCsrf) {
      error = new ApiError(
        400,
        t('shared.session.over', 'Your session has timed out. Sign in again; your work is kept.'),
      )
    }
  }
  throw error
}

async function json<T>(method: Method, path: string, options?: CallOptions): Promise<T> {
  const response = await send(method, path, options)
  return (response.status === 204 ? undefined : await response.json()) as T
}

/** The API, JSON in and out. Paths as the API spells them, from `/api/v1/…`. Failures are `ApiError`. */
export const api = {
  get: <T>(path: string, options?: CallOptions): Promise<T> => json<T>('GET', path, options),
  post: <T>(path: string, options?: CallOptions): Promise<T> => json<T>('POST', path, options),
  put: <T>(path: string, options?: CallOptions): Promise<T> => json<T>('PUT', path, options),
  del: <T>(path: string, options?: CallOptions): Promise<T> => json<T>('DELETE', path, options),
}
