import { encodeRison } from '@parquetry/model/rison'
import type { Manner, Method } from './contracts.ts'

/** One call as it goes out: the address is filled in, the body is what `fetch` takes. */
export interface Call extends Manner {
  method: Method
  address: string
  headers: Record<string, string>
  body?: BodyInit
}

export interface Told extends Manner {
  params?: Record<string, string | number> | undefined
  query?: Record<string, unknown> | undefined
  q?: unknown
  body?: unknown
}

/** The address of a path with its `:name` parameters, plain parameters and Rison in `q`. */
export function addressOf(path: string, { params = {}, query = {}, q }: Pick<Told, 'params' | 'query' | 'q'>): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  if (q !== undefined) search.set('q', encodeRison(q))
  for (const [name, value] of Object.entries(query)) if (value != null) search.set(name, String(value))
  return search.size > 0 ? `${filled}?${search}` : filled
}

const isPlain = (body: unknown): body is FormData | URLSearchParams | Blob =>
  body instanceof FormData || body instanceof URLSearchParams || body instanceof Blob

/** JSON is written here; forms, files and bytes go as they are. */
export function callOf(method: Method, path: string, { params, query, q, body, ...manner }: Told): Call {
  const headers: Record<string, string> = { Accept: manner.accept ?? 'application/json' }
  if (manner.onlyCached) headers['Cache-Control'] = 'only-if-cached'
  if (body instanceof Blob) headers['Content-Type'] = 'application/octet-stream'
  else if (body !== undefined && !isPlain(body)) headers['Content-Type'] = 'application/json'
  return {
    ...manner,
    method,
    address: addressOf(path, { params, query, q }),
    headers,
    ...(body !== undefined && { body: isPlain(body) ? body : JSON.stringify(body) }),
  }
}
