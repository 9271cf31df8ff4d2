import { encodeRison } from '@parquetry/model/encode-rison'
import type { CallOptions, Method } from './contracts.ts'

/** A call ready to be sent: parameters are filled into the address and the body is a `fetch` body. */
export interface Call extends CallOptions {
  method: Method
  url: string
  headers: Record<string, string>
  body?: BodyInit
}

export interface CallInput extends CallOptions {
  params?: Record<string, string | number> | undefined
  query?: Record<string, unknown> | undefined
  q?: unknown
  body?: unknown
}

/** Builds the address from a path with `:name` parameters, plain query parameters and Rison in `q`. */
export function buildUrl(
  path: string,
  { params = {}, query = {}, q }: Pick<CallInput, 'params' | 'query' | 'q'>,
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  if (q !== undefined) search.set('q', encodeRison(q))
  for (const [name, value] of Object.entries(query)) if (value != null) search.set(name, String(value))
  return search.size > 0 ? `${filled}?${search}` : filled
}

const isFetchBody = (body: unknown): body is FormData | URLSearchParams | Blob =>
  body instanceof FormData || body instanceof URLSearchParams || body instanceof Blob

/** Builds a call. Objects are serialized as JSON; forms, files and bytes are sent unchanged. */
export function buildCall(method: Method, path: string, { params, query, q, body, ...manner }: CallInput): Call {
  const headers: Record<string, string> = { Accept: manner.accept ?? 'application/json' }
  if (manner.onlyCached) headers['Cache-Control'] = 'only-if-cached'
  if (body instanceof Blob) headers['Content-Type'] = 'application/octet-stream'
  else if (body !== undefined && !isFetchBody(body)) headers['Content-Type'] = 'application/json'
  return {
    ...manner,
    method,
    url: buildUrl(path, { params, query, q }),
    headers,
    ...(body !== undefined && { body: isFetchBody(body) ? body : JSON.stringify(body) }),
  }
}
