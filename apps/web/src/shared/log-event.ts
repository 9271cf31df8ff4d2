import { useEffect } from 'react'
import { api } from './api.ts'
import { boot } from './boot.ts'

interface LogEvent {
  event_name: string
  source: 'dashboard' | 'explore'
  source_id: number
}

/** LOG-003, LOG-004 */
const batchSize = 1024
const quietMs = 1000
const path = '/superset/log/'
const impression_id = crypto.randomUUID()

let waiting: object[] = []
let timer: ReturnType<typeof setTimeout> | undefined

/** Sends what waits, in batches that the browser delivers even when the page is left. */
function flush(): void {
  clearTimeout(timer)
  while (waiting.length > 0) {
    const body = new URLSearchParams({ events: JSON.stringify(waiting.splice(0, batchSize)) })
    if (navigator.sendBeacon?.(`${path}?explode=events`, body)) continue
    api.send('POST', path, { query: { explode: 'events' }, body, keepalive: true, quiet: true }).catch(() => {
      // What was looked at is no work of the user's; the next visit is noted again.
    })
  }
}
addEventListener('pagehide', flush)

/** Notes what the user did for the log of actions and for "Recent"; sent together once nothing came for a second. */
function logEvent(event: LogEvent): void {
  if (boot.user.isAnonymous) return
  waiting.push({
    ...event,
    event_type: 'user',
    event_id: crypto.randomUUID(),
    ts: Date.now(),
    impression_id,
    version: 'v2',
    visibility: document.visibilityState,
  })
  clearTimeout(timer)
  timer = setTimeout(flush, quietMs)
}

const names = { dashboard: 'mount_dashboard', explore: 'mount_explorer' } as const

/** Notes that a saved dashboard or chart was opened; nothing while `id` is unknown. */
export function useLogView(source: LogEvent['source'], id: number | null | undefined): void {
  useEffect(() => {
    if (id != null) logEvent({ event_name: names[source], source, source_id: id })
  }, [source, id])
}
