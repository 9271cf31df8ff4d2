import type { Deps } from '../deps.ts'
import { queryChannel } from '../jobs/pub-sub.ts'
import { extraOf, type QueryRow } from './history.ts'

/** Tells the browsers of its user how far a query is. */
export function publishQuery({ events }: Deps, row: QueryRow): void {
  const { progress: text, errors, rows_read } = extraOf(row)
  events.publish(queryChannel(row.user_id), {
    type: 'query',
    query: {
      id: row.client_id,
      queryId: row.id,
      state: row.status,
      progress: row.progress,
      rows: row.rows,
      resultsKey: row.results_key,
      errorMessage: row.error_message,
      endDttm: row.end_time,
      extra: { progress: text ?? null, errors: errors ?? null, rows_read: rows_read ?? null },
    },
  })
}
