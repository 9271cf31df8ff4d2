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

/** Sends pending events in batches that the browser delivers even when the page is closed. */
function flush(): void {
  clearTimeout(timer)
  while (waiting.length > 0) {
    const body = new URLSearchParams({ events: JSON.stringify(waiting.splice(0, batchSize)) })
    if (navigator.sendBeacon?.(`${path}?explode=events`, body)) continue
    api.send('POST', path, { query: { explode: 'events' }, body, keepalive: true, quiet: true }).catch(() => {
      // A lost event loses no user work; the next visit is logged again.
    })
  }
}
addEventListener('pagehide', flush)

/** Records a user action for the action log and for "Recent"; events are sent together after one second of silence. */
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

/** Records that a saved dashboard or chart was opened; does nothing while `id` is unknown. */
export function useLogView(source: LogEvent['source'], id: number | null | undefined): void {
  useEffect(() => {
    if (id != null) logEvent({ event_name: names[source], source, source_id: id })
  }, [source, id])
}
