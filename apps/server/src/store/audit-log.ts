import type { Insertable, Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { LogTable, Tables } from './tables.ts'
import { formatStoredTime } from './time.ts'

/** One action, as it is stored in the table `log`. Handlers may fill in what they know better. */
export interface AuditEvent {
  action: string
  user_id: number | null
  dashboard_id: number | null
  slice_id: number | null
  /** Small facts; never SQL values, tokens or bodies. */
  json: Record<string, unknown> | null
  /** The API key that the call was made with. */
  apiKey?: { uuid: string; name: string }
  /** Set by `change`, which writes the event in the transaction of the change. */
  isWritten: boolean
}

export interface AuditLog {
  /** For reads: written soon, in batches. At most 200 ms of these are lost when the process is killed. */
  later(event: AuditEvent, durationMs: number, referrer: string | null): void
  /**
   * For writes: written immediately. The action is not undone when its event cannot be written; the event is then in the
   * program's log.
   */
  now(event: AuditEvent, durationMs: number, referrer: string | null): Promise<void>
  flush(): Promise<void>
}

const delayMs = 200
const batchRows = 1000

export const logRow = (
  { action, user_id, dashboard_id, slice_id, json, apiKey }: AuditEvent,
  time: Date,
  durationMs: number | null = null,
  referrer: string | null = null,
): Insertable<LogTable> => ({
  action,
  user_id,
  dashboard_id,
  slice_id,
  json: json || apiKey ? JSON.stringify({ ...json, ...(apiKey && { api_key: apiKey }) }) : null,
  duration_ms: durationMs === null ? null : Math.round(durationMs),
  referrer: referrer?.slice(0, 1024) ?? null,
  dttm: formatStoredTime(time),
})

export function createAuditLog(db: Kysely<Tables>, log: Logger, now: () => Date): AuditLog {
  let waiting: Insertable<LogTable>[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const write = (rows: Insertable<LogTable>[]) => db.insertInto('log').values(rows).execute()
  async function writeAll(rows: Insertable<LogTable>[]): Promise<void> {
    for (let from = 0; from < rows.length; from += batchRows) await write(rows.slice(from, from + batchRows))
  }
  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const rows = waiting
    waiting = []
    writing = writing
      .then(() => writeAll(rows))
      .catch((error: unknown) => log.error({ err: error, events: rows.length }, 'events could not be logged'))
    return writing
  }
  return {
    later(event, durationMs, referrer) {
      waiting.push(logRow(event, now(), durationMs, referrer))
      timer ??= setTimeout(() => void flush(), delayMs).unref()
    },
    async now(event, durationMs, referrer) {
      const row = logRow(event, now(), durationMs, referrer)
      await write([row]).catch((error: unknown) =>
        log.error({ err: error, event: row }, 'an event could not be logged'),
      )
    },
    flush,
  }
}
