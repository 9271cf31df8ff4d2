import { AppError, type ExecuteRequest } from '@parquetry/model'
import type { Selectable, Updateable } from 'kysely'
import { randomBytes } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { timeText } from '../store/time.ts'
import type { QueryTable } from '../store/tables.ts'

export type QueryRow = Selectable<QueryTable>

const newClientId = (): string => randomBytes(5).toString('hex')

/** Writes the beginning of a run. @throws AppError `conflict` when the client id was used before */
export async function beginQuery({ db, now }: Deps, request: ExecuteRequest, userId: number): Promise<QueryRow> {
  const at = now()
  const client_id = request.client_id || newClientId()
  const used = await db.selectFrom('query').select('id').where('client_id', '=', client_id).executeTakeFirst()
  if (used) throw new AppError('conflict', { message: 'A query with this client id was run before.' })
  return db
    .insertInto('query')
    .values({
      client_id,
      database_id: request.database_id,
      user_id: userId,
      tab_name: request.tab ?? null,
      sql_editor_id: request.sql_editor_id ?? null,
      schema: request.schema ?? null,
      catalog: request.catalog ?? null,
      sql: request.sql,
      executed_sql: null,
      select_sql: null,
      limit: null,
      limiting_factor: 'UNKNOWN',
      select_as_cta: 0,
      ctas_method: null,
      tmp_table_name: null,
      tmp_schema_name: null,
      status: 'running',
      progress: 0,
      rows: null,
      error_message: null,
      results_key: null,
      start_time: at.getTime(),
      end_time: null,
      extra_json: '{}',
      tracking_url: null,
      changed_on: timeText(at),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes a run's row; `null` end means that it still runs. */
export async function updateQuery({ db, now }: Deps, id: number, change: Updateable<QueryTable>): Promise<QueryRow> {
  return db
    .updateTable('query')
    .set({ ...change, changed_on: timeText(now()) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
