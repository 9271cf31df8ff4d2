import { ApiError, type TypedError } from '@parquetry/client'
import type { WireError } from '@parquetry/model'

/** Share of the waiting time by which tries are spread, so that all clients do not come back at once. */
const jitter = 0.5

/** Issue code of the API for a database that runs too many queries. */
const busyIssue = 1027

/** Work that the server refused because too much is waiting, and that succeeds later. */
export interface ServerRefusal {
  error: WireError
  /** Time of the next try, in ms. */
  retryAt: number
}

/** Reads the error of one chart; null for other failures. */
export function readRefusal(error: WireError): ServerRefusal | null {
  const { retryAfter } = error.details
  if (typeof retryAfter !== 'number') return null
  return { error, retryAt: Date.now() + retryAfter * 1000 * (1 + Math.random() * jitter) }
}

/** Reads the errors of a run in the query history, which has no status; null for other failures. */
export function readRefusedRun([typed]: readonly TypedError[]): ServerRefusal | null {
  const details = typed?.extra ?? {}
  const code = details['code'] === 'queries_waiting' ? 'queries_waiting' : 'source_busy'
  return readRefusal({ code, message: typed?.message ?? '', details })
}

/** The time of the next try is drawn once for each error. */
const known = new WeakMap<ApiError, ServerRefusal | null>()

/** Reads the error of a call; null for other failures. */
export function readRefusedCall(error: unknown): ServerRefusal | null {
  if (!(error instanceof ApiError)) return null
  const refusal = known.get(error) ?? toRefusal(error)
  known.set(error, refusal)
  return refusal
}

function toRefusal(error: ApiError): ServerRefusal | null {
  const [typed] = error.errors
  const isBusy = typed?.extra?.issue_codes?.some(({ code }) => code === busyIssue)
  const isOwn = error.status === 429
  const code = isBusy ? (isOwn ? 'queries_waiting' : 'source_busy') : isOwn ? 'too_many' : 'unavailable'
  return readRefusal({ code, message: error.message, details: typed?.extra ?? {}, status: error.status })
}
