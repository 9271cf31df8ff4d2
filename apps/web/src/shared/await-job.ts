import { ApiError } from '@parquetry/client'
import type { AsyncEvent } from '@parquetry/model'
import { api, send } from './api.ts'
import { AsyncEvents, type ResultOptions } from './async-events.ts'
import { boot } from './boot.ts'
import { t } from './intl.ts'

let shared: AsyncEvents | undefined

/** The socket of this server, for pages without another address. */
const ownSocketUrl = (): string => new URL('/api/v1/async_event/ws', location.href.replace(/^http/, 'ws')).href

function getAsyncEvents(): AsyncEvents {
  const { conf } = boot.common
  const delay = conf['GLOBAL_ASYNC_QUERIES_POLLING_DELAY']
  const url = conf['GLOBAL_ASYNC_QUERIES_WEBSOCKET_URL']
  const isSocket = ['ws', 'websocket'].includes(String(conf['GLOBAL_ASYNC_QUERIES_TRANSPORT']))
  return (shared ??= new AsyncEvents({
    transport: isSocket ? 'websocket' : 'polling',
    pollingDelayMs: typeof delay === 'number' ? delay : 500,
    socketUrl: typeof url === 'string' ? url : isSocket ? ownSocketUrl() : null,
    async fetchEvents(last_id) {
      return (await api.get('/api/v1/async_event/', { query: { last_id }, quiet: true })).result
    },
    fetchResult: (address, { accept = 'application/json', signal }) =>
      send({ method: 'GET', url: address, headers: { Accept: accept }, signal }),
    storage: localStorage,
    // Helps only to debug a lost response.
    // oxlint-disable-next-line no-console
    warn: (text) => console.warn(text),
    failed: t('shared.error.job', 'The query failed.'),
  }))
}

/** Resolves a 202 of chart data to the response of its job. */
export async function awaitJob(accepted: Response, options: ResultOptions): Promise<Response> {
  const { job_id } = (await accepted.json()) as Partial<AsyncEvent>
  if (!job_id) throw new ApiError(0, t('shared.error.network', 'Network error.'))
  return getAsyncEvents().waitFor(job_id, options)
}
