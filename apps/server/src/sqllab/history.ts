import { AppError, type ExecuteRequest, message } from '@parquetry/model'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { randomBytes } from 'node:crypto'
import type { QueryTable } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'
import type { SqllabDeps } from './deps.ts'

export type QueryRow = Selectable<QueryTable>

const newClientId = (): string => randomBytes(5).toString('hex')

const openStatuses = ['pending', 'running']

/** The run is pending or running. */
export const isOpen = ({ status }: Pick<QueryRow, 'status'>): boolean => openStatuses.includes(status)

/**
 * Records the start of a run. A repeated request finds the run that it started; a run that was refused starts again.
 * @throws AppError `conflict` when the client id was used before for something else, or for a run that has ended
 */
export async function beginQuery(
  { db, server, now }: SqllabDeps,
  request: ExecuteRequest,
  userId: number,
  status: 'pending' | 'running',
): Promise<{ row: QueryRow; isRepeated: boolean }> {
  const startedAt = now()
  const client_id = request.client_id || newClientId()
  const sql_editor_id = request.sql_editor_id ?? null
  const values = {
    client_id,
    database_id: request.database_id,
    user_id: userId,
    tab_name: request.tab ?? null,
    sql_editor_id,
    schema: request.schema ?? null,
    catalog: request.catalog ?? null,
    sql: request.sql,
    executed_sql: null,
    select_sql: null,
    limit: null,
    limiting_factor: 'UNKNOWN',
    select_as_cta: request.select_as_cta ? 1 : 0,
    ctas_method: request.select_as_cta ? (request.ctas_method ?? 'TABLE').toUpperCase() : null,
    tmp_table_name: null,
    tmp_schema_name: null,
    status,
    progress: 0,
    rows: null,
    error_message: null,
    results_key: null,
    start_time: startedAt.getTime(),
    end_time: null,
    extra_json: JSON.stringify(request.templateParams ? { template_params: request.templateParams } : {}),
    tracking_url: null,
    changed_on: formatStoredTime(startedAt),
    owner: server,
  } satisfies Insertable<QueryTable>
  const row = await db
    .insertInto('query')
    .values(values)
    .onConflict((conflict) => conflict.column('client_id').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row) return { row, isRepeated: false }
  const used = await db.selectFrom('query').selectAll().where('client_id', '=', client_id).executeTakeFirst()
  const isSame = used?.user_id === userId && used.sql_editor_id === sql_editor_id
  if (isSame && wasRefused(used)) {
    const restarted = await db
      .updateTable('query')
      .set(values)
      .where('id', '=', used.id)
      .where('status', '=', 'failed')
      .returningAll()
      .executeTakeFirst()
    // Otherwise an equal request was faster.
    return { row: restarted ?? used, isRepeated: !restarted }
  }
  // A run that timed out may still be requested again by its id.
  if (!isSame || !(isOpen(used) || used.status === 'timed_out'))
    throw new AppError('conflict', {
      message: message(
        'errors.sqllab.clientIdUsed',
        'A query with this client_id was already run. Use a new client_id.',
      ),
    })
  return { row: used, isRepeated: true }
}

/** The run was refused because too much was waiting: none of its statements has started. */
function wasRefused(row: QueryRow): boolean {
  if (row.status !== 'failed') return false
  const errors = parseExtra(row)['errors'] as { extra: Record<string, unknown> | null }[] | undefined
  return typeof errors?.[0]?.extra?.['retryAfter'] === 'number'
}

/** Changes the row of a run that has not ended. @returns undefined when it has: it was stopped */
export async function updateQuery(
  { db, now }: Pick<SqllabDeps, 'db' | 'now'>,
  id: number,
  change: Updateable<QueryTable>,
): Promise<QueryRow | undefined> {
  return db
    .updateTable('query')
    .set({ changed_on: formatStoredTime(now()), ...change })
    .where('id', '=', id)
    .where('status', 'in', openStatuses)
    .returningAll()
    .executeTakeFirst()
}

export const parseExtra = ({ extra_json }: Pick<QueryRow, 'extra_json'>): Record<string, unknown> =>
  JSON.parse(extra_json) as Record<string, unknown>
