import { ApiError, type Call, createClient, parseErrorResponse } from '@parquetry/client'
import { boot } from './boot.ts'
import { csrfToken, renewCsrfToken } from './csrf.ts'
import { takePrefetched } from './prefetched-calls.ts'
import { markOffline, markOnline } from './online.ts'
import { t } from './intl.ts'
import { requestSignIn } from './session.ts'

async function fetchOnce({ method, url, headers, body, signal, keepalive }: Call): Promise<Response> {
  const sent = new Date()
  try {
    const prefetchedResponse = method === 'GET' ? takePrefetched(url) : undefined
    const response = await (prefetchedResponse ??
      fetch(url, {
        method,
        headers: method === 'GET' ? headers : { ...headers, 'X-CSRFToken': csrfToken() },
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
        ...(keepalive && { keepalive }),
      }))
    markOnline(sent)
    return response
  } catch (error) {
    if (signal?.aborted) throw error
    markOffline()
    throw new ApiError(0, t('shared.error.network', 'Network error.'))
  }
}

/**
 * Sends one call. When the session has expired, it opens the sign-in dialog over the page, waits, and sends the call again, so
 * that nothing typed is lost; likewise for an expired CSRF token.
 * @throws ApiError for every status of 400 and above, and with status 0 when no response arrives; AbortError when `signal` aborts
 */
export async function send(call: Call): Promise<Response> {
  let response = await fetchOnce(call)
  // With GLOBAL_ASYNC_QUERIES, chart data arrives later.
  if (response.status === 202 && call.url === '/api/v1/chart/data')
    return (await import('./await-job.ts')).awaitJob(response, call)
  if (response.ok) return response
  let error = await parseErrorResponse(response)
  if (!call.quiet && !boot.user.isAnonymous) {
    const isCsrf = response.status === 400 && error.message.includes('CSRF')
    const again =
      response.status === 401 ? await requestSignIn() : isCsrf && ((await renewCsrfToken()) || (await requestSignIn()))
    if (again) {
      response = await fetchOnce(call)
      if (response.ok) return response
      error = await parseErrorResponse(response)
    } else if (isCsrf) {
      error = new ApiError(
        400,
        t('shared.session.over', 'Your session has timed out. Sign in again; your work is kept.'),
      )
    }
  }
  throw error
}

/** The API client, typed by its contracts. Failures are `ApiError`. */
export const api = createClient(send)
