import { message, type SavedQueryBody } from '@parquetry/model'
import type { Kysely, Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import { type DatabaseRow, resolveSource } from '../connection/source.ts'
import { changedBy, toColumns, createdBy, unprocessableFields, type WriteContext } from '../http/writing.ts'
import { can } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { serializeSqlTables } from '../user-sql/sql-tables.ts'
import type { Tables } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'
import { change } from '../store/write.ts'
import type { SavedQueryRow } from './saved-query-resource.ts'
import { validateExtra, nextRun, parseSchedule } from './schedule.ts'
import type { ConnectionDeps } from '../connection/deps.ts'

const fields = [
  'db_id',
  'description',
  'label',
  'catalog',
  'schema',
  'sql',
  'template_parameters',
  'extra_json',
] as const

/** Maximum time that a save waits to learn which tables are read. */
const inspectMs = 3000

const document = (db: Kysely<Tables>, id: number): Promise<object> =>
  db.selectFrom('saved_query').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** @throws AppError `unprocessable` by field */
async function check(context: WriteContext, { db_id, extra_json }: SavedQueryBody): Promise<void> {
  if (db_id != null && !(await can(context, ['can_read', 'Database'], { kind: 'database', id: db_id })))
    throw unprocessableFields({ db_id: [message('errors.savedQuery.database', 'Database does not exist')] })
  const problem = validateExtra(extra_json)
  if (problem !== undefined) throw unprocessableFields({ extra_json: [problem] })
}

/** Tables that the SQL reads, as JSON; null when they cannot be determined now, which does not fail the save. */
async function findTables(
  { deps, principal }: { deps: ConnectionDeps; principal: Principal },
  { db_id, sql, schema }: Pick<SavedQueryRow, 'db_id' | 'sql' | 'schema'>,
) {
  if (db_id === null || !sql?.trim()) return null
  try {
    const database = await deps.db.selectFrom('database').selectAll().where('id', '=', db_id).executeTakeFirst()
    if (!database) return null
    const source = await resolveSource(deps, database satisfies DatabaseRow, { onlyReads: principal }, schema)
    const inspection = await deps.runners.inspect(sql, source, AbortSignal.timeout(inspectMs))
    return inspection.error ? null : serializeSqlTables(inspection)
  } catch (error) {
    deps.log.debug({ err: error }, 'could not determine the tables of a saved query')
    return null
  }
}

/** Stores when the query runs next, or deletes its schedule. */
async function saveSchedule(
  trx: Transaction<Tables>,
  { id, extra_json }: Pick<SavedQueryRow, 'id' | 'extra_json'>,
  now: Date,
): Promise<void> {
  const schedule = parseSchedule(extra_json)
  if (!schedule) {
    await trx.deleteFrom('query_schedule').where('saved_query_id', '=', id).execute()
    return
  }
  const next = nextRun(schedule, now)
  const next_at = next && formatStoredTime(next)
  await trx
    .insertInto('query_schedule')
    .values({ saved_query_id: id, next_at })
    .onConflict((conflict) => conflict.column('saved_query_id').doUpdateSet({ next_at }))
    .execute()
}

/** Creates a query of the caller. @throws AppError `unprocessable` */
export async function createSavedQuery(
  deps: ConnectionDeps,
  context: WriteContext,
  body: SavedQueryBody,
): Promise<SavedQueryRow> {
  await check(context, body)
  const { principal, event, now } = context
  const uuid = randomUUID()
  const row = {
    db_id: null,
    description: null,
    label: null,
    catalog: null,
    schema: null,
    sql: null,
    template_parameters: null,
    extra_json: null,
    ...toColumns(body, fields),
    uuid,
    user_id: principal.id ?? -1,
    rows: null,
    last_run: null,
    ...createdBy(principal, now),
  }
  const sql_tables = await findTables({ deps, principal }, row)
  const history = { kind: 'saved_query', uuid, author: principal.id, event, now }
  const readDocument = (trx: Transaction<Tables>, inserted: SavedQueryRow) => document(trx, inserted.id)
  return change<SavedQueryRow>(deps.db, { ...history, document: readDocument }, async (trx) => {
    const inserted = await trx
      .insertInto('saved_query')
      .values({ ...row, sql_tables })
      .returningAll()
      .executeTakeFirstOrThrow()
    await saveSchedule(trx, inserted, now)
    event.json = { id: inserted.id }
    return inserted
  })
}

/** Changes the given fields of a query that the caller owns. @throws AppError `unprocessable` */
export async function updateSavedQuery(
  deps: ConnectionDeps,
  context: WriteContext,
  row: SavedQueryRow,
  body: SavedQueryBody,
  seen?: string,
): Promise<SavedQueryRow> {
  // The stored row may name a deleted database.
  const { db_id, ...rest } = body
  await check(context, db_id === row.db_id ? rest : body)
  const { principal, event, now } = context
  const changed = toColumns(body, fields)
  const affectsTables = ['sql', 'db_id', 'schema'].some((name) => name in changed)
  const sql_tables = affectsTables ? await findTables({ deps, principal }, { ...row, ...changed }) : row.sql_tables
  event.json = { id: row.id }
  const history = { kind: 'saved_query', uuid: row.uuid, seen, author: principal.id, event, now }
  return change<SavedQueryRow>(deps.db, { ...history, document: (trx) => document(trx, row.id) }, async (trx) => {
    const after = await trx
      .updateTable('saved_query')
      .set({ ...changed, sql_tables, ...changedBy(principal, now, row) })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    if ('extra_json' in changed) await saveSchedule(trx, after, now)
    return after
  })
}
