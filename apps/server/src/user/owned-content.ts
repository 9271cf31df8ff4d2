import { message, type Message, type OwnedKind, ownedKinds } from '@parquetry/model'
import { type Kysely, sql, type Transaction } from 'kysely'
import { visibleRow } from '../http/resource.ts'
import { unprocessableFields, type WriteContext } from '../http/writing.ts'
import { readUser } from '../security/account.ts'
import type { Tables } from '../store/tables.ts'
import { record } from '../store/write.ts'
import { requireAdministratorFor } from './protect-administrators.ts'
import { userResource, type UserRow } from './user-resource.ts'

type Sql = ReturnType<typeof sql>

const maxItems = 100

/** The rows of each kind that belong to a user, with the columns `id` and `name`. */
const ownedRows: Record<OwnedKind, (user: number) => Sql> = {
  dashboard: (user) => sql`select id, dashboard_title as name from dashboard
    where id in (select dashboard_id from dashboard_owner where user_id = ${user})`,
  chart: (user) => sql`select id, slice_name as name from chart
    where id in (select chart_id from chart_owner where user_id = ${user})`,
  // The SQL and the expressions of a dataset are authorized for the user who saved them.
  dataset: (user) => sql`select id, table_name as name from dataset where sql_by_fk = ${user}
    or expressions_by_fk = ${user} or id in (select dataset_id from dataset_owner where user_id = ${user})`,
  saved_query: (user) => sql`select id, label as name from saved_query where user_id = ${user}`,
  database: (user) => sql`select id, database_name as name from ${sql.table('database')} where created_by_fk = ${user}`,
  row_rule: (user) => sql`select id, name from row_rule where created_by_fk = ${user}`,
  table: (user) => sql`select id, name from embedded_table where created_by_fk = ${user}`,
  report: (user) => sql`select id, name from report where created_by_fk = ${user} or run_as_fk = ${user}
    or id in (select report_id from report_owner where user_id = ${user})`,
}

const countMessages: Record<OwnedKind, (count: number) => Message> = {
  dashboard: (count) =>
    message('errors.user.owns.dashboard', '{count, plural, one {# dashboard} other {# dashboards}}', { count }),
  chart: (count) => message('errors.user.owns.chart', '{count, plural, one {# chart} other {# charts}}', { count }),
  dataset: (count) =>
    message('errors.user.owns.dataset', '{count, plural, one {# dataset} other {# datasets}}', { count }),
  saved_query: (count) =>
    message('errors.user.owns.savedQuery', '{count, plural, one {# saved query} other {# saved queries}}', { count }),
  database: (count) =>
    message('errors.user.owns.database', '{count, plural, one {# database} other {# databases}}', { count }),
  row_rule: (count) =>
    message(
      'errors.user.owns.rule',
      '{count, plural, one {# row-level security rule} other {# row-level security rules}}',
      { count },
    ),
  table: (count) =>
    message('errors.user.owns.table', '{count, plural, one {# uploaded table} other {# uploaded tables}}', { count }),
  report: (count) =>
    message('errors.user.owns.report', '{count, plural, one {# alert or report} other {# alerts and reports}}', {
      count,
    }),
}

const countOwned = async (db: Kysely<Tables>, kind: OwnedKind, user: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${ownedRows[kind](user)}) as owned`.execute(db)
  return Number(rows[0]?.n ?? 0)
}

/** Objects owned by a user, by kind; kinds without any are omitted. */
export async function listOwned(db: Kysely<Tables>, user: number) {
  const kinds = await Promise.all(
    ownedKinds.map(async (kind) => {
      const { rows: items } = await sql<{ id: number; name: string | null }>`${ownedRows[kind](user)}
        order by 2, 1 limit ${maxItems}`.execute(db)
      const count = items.length < maxItems ? items.length : await countOwned(db, kind, user)
      return { kind, count, items: items.map(({ id, name }) => ({ id: Number(id), name: name ?? '' })) }
    }),
  )
  return kinds.filter(({ count }) => count > 0)
}

/** @throws AppError `unprocessable` with the numbers of objects of each kind, when the user owns any */
export async function refuseOwner(db: Kysely<Tables>, user: number): Promise<void> {
  const counts = await Promise.all(ownedKinds.map(async (kind) => [kind, await countOwned(db, kind, user)] as const))
  const owned = counts.filter(([, count]) => count > 0)
  if (owned.length === 0) return
  throw unprocessableFields({
    id: [
      message('errors.user.owns', 'This user owns content. Hand it over to another user first.'),
      ...owned.map(([kind, count]) => countMessages[kind](count)),
    ],
  })
}

/**
 * Makes another user the owner of everything that a user owns, including what is in the trash. Only administrators take content
 * from administrators, or give it to them: the SQL of datasets is authorized for its owner.
 * @returns the number of objects by kind
 * @throws AppError `not_found`; `forbidden`; `unprocessable` for a new owner who does not exist or may not sign in
 */
export async function transferOwned(context: WriteContext, id: number, to: number): Promise<Record<string, number>> {
  const { db, principal, event, now } = context
  const { uuid } = await visibleRow<UserRow>(userResource, id, context)
  const counts = await db.transaction().execute(async (trx) => {
    await requireAdministratorFor(trx, principal, [id, to])
    const receiver = await trx.selectFrom('user').select('active').where('id', '=', to).executeTakeFirst()
    if (to === id || receiver?.active !== 1)
      throw unprocessableFields({
        to: [message('errors.user.receiver', 'The new owner must be another active user.')],
      })
    const owned = await Promise.all(ownedKinds.map(async (kind) => [kind, await countOwned(trx, kind, id)] as const))
    await moveOwned(trx, id, to)
    const moved = Object.fromEntries(owned.filter(([, count]) => count > 0))
    event.json = { id, to, ...moved }
    await record(
      trx,
      { kind: 'user', uuid, id, author: principal.id, document: () => readUser(trx, id), event, now },
      undefined,
    )
    return moved
  })
  event.isWritten = true
  return counts
}

async function moveOwned(trx: Transaction<Tables>, from: number, to: number): Promise<void> {
  for (const kind of ['dashboard', 'chart', 'dataset', 'report'] as const) {
    const table = sql.table(`${kind}_owner`)
    const object = sql.ref(`${kind}_id`)
    await sql`insert into ${table} (${object}, user_id) select ${object}, ${to} from ${table} where user_id = ${from}
      and ${object} not in (select ${object} from ${table} where user_id = ${to})`.execute(trx)
    await sql`delete from ${table} where user_id = ${from}`.execute(trx)
  }
  await sql`insert into trash_owner (kind, object_id, user_id)
    select kind, object_id, ${to} from trash_owner as old where user_id = ${from} and not exists
      (select 1 from trash_owner as same where same.user_id = ${to} and same.kind = old.kind
        and same.object_id = old.object_id)`.execute(trx)
  await sql`delete from trash_owner where user_id = ${from}`.execute(trx)
  const references = [
    ['saved_query', 'user_id'],
    ['database', 'created_by_fk'],
    ['row_rule', 'created_by_fk'],
    ['embedded_table', 'created_by_fk'],
    ['dataset', 'sql_by_fk'],
    ['dataset', 'expressions_by_fk'],
    ['report', 'created_by_fk'],
    ['report', 'run_as_fk'],
  ] as const
  for (const [table, column] of references)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to} where ${sql.ref(column)} = ${from}`.execute(trx)
}
