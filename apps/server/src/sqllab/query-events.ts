import { queryChannel } from '../jobs/pub-sub.ts'
import type { SqllabDeps } from './deps.ts'
import { parseExtra, type QueryRow } from './history.ts'

/** Publishes the progress of a query to its user's browsers. */
export async function publishQuery({ events }: SqllabDeps, row: QueryRow): Promise<void> {
  const { progress: text, errors, rows_read, ahead } = parseExtra(row)
  await events.publish(queryChannel(row.user_id), {
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
      extra: { progress: text ?? null, errors: errors ?? null, rows_read: rows_read ?? null, ahead: ahead ?? null },
    },
  })
}
