import { sql } from 'kysely'
import { canReadEmails } from '../access/principal.ts'
import { ago, withZone } from './humanize.ts'
import { readForPage } from './page-reads.ts'
import type { ColumnResolver, ReadContext } from './resource.ts'

/** A user as shown in lists and details. */
export interface UserSummary {
  id: number
  username: string
  first_name: string
  last_name: string
  /** Empty if the principal may not see email addresses. */
  email: string
}

type WithId = { id: number }
type Field = string | number | null

const readField = (row: unknown, name: string): Field => (row as Record<string, Field>)[name] ?? null

const loadUsers = async (
  { db, principal }: Pick<ReadContext, 'db' | 'principal'>,
  ids: readonly number[],
): Promise<Map<number, UserSummary>> => {
  if (ids.length === 0) return new Map()
  const email = canReadEmails(principal) ? sql.ref<string>('email') : sql<string>`''`
  const users = await db
    .selectFrom('user')
    .select(['id', 'username', 'first_name', 'last_name', email.as('email')])
    .where('id', 'in', ids)
    .execute()
  return new Map(users.map((user) => [user.id, user]))
}

export const fullName = ({ first_name, last_name }: Pick<UserSummary, 'first_name' | 'last_name'>): string =>
  `${first_name} ${last_name}`.trim()

/** Columns of most tables with ids of users. */
const auditedBy = ['created_by_fk', 'changed_by_fk']

/** The user whose id is in a column, or null. */
export const userColumn =
  <Row>(column: string): ColumnResolver<Row> =>
  async (rows, context) => {
    const isAudit = auditedBy.includes(column)
    const users = await readForPage(rows, isAudit ? 'audit users' : `users of ${column}`, () => {
      const ids = rows.flatMap((row) => (isAudit ? auditedBy : [column]).map((name) => readField(row, name)))
      return loadUsers(context, [...new Set(ids.filter((id) => typeof id === 'number'))])
    })
    const ids = rows.map((row) => readField(row, column) as number | null)
    return ids.map((id) => (id === null ? null : (users.get(id) ?? null)))
  }

/** "First Last" of the user whose id is in a column, otherwise empty. */
export const userNameColumn =
  <Row>(column: string): ColumnResolver<Row> =>
  async (rows, context) =>
    ((await userColumn<Row>(column)(rows, context)) as (UserSummary | null)[]).map((found) =>
      found ? fullName(found) : '',
    )

/** Profile URL of a user, for older clients. */
const userUrlColumn =
  <Row>(column: string): ColumnResolver<Row> =>
  async (rows, context) =>
    ((await userColumn<Row>(column)(rows, context)) as (UserSummary | null)[]).map((found) =>
      found ? `/superset/profile/${encodeURIComponent(found.username)}` : '',
    )

/** Rows of the join table of owners, ordered by user id. */
export const readOwnerPairs = <Row extends WithId>(
  kind: 'chart' | 'dashboard' | 'dataset' | 'report',
  rows: readonly Row[],
  { db }: Pick<ReadContext, 'db'>,
): Promise<{ of: number; user_id: number }[]> =>
  readForPage(rows, `owners of ${kind}`, async () => {
    const found = await sql<{ of: number; user_id: number }>`select ${sql.ref(`${kind}_id`)} as of, user_id
      from ${sql.table(`${kind}_owner`)} where ${sql.ref(`${kind}_id`)} in (${sql.join(rows.map(({ id }) => id))})
      order by user_id`.execute(db)
    return found.rows
  })

/** Owners from the join table, ordered by user id. */
export const ownersColumn =
  <Row extends WithId>(kind: 'chart' | 'dashboard' | 'dataset' | 'report'): ColumnResolver<Row> =>
  async (rows, { db, principal }) => {
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return []
    const pairs = await readOwnerPairs(kind, rows, { db })
    const users = await loadUsers({ db, principal }, [...new Set(pairs.map(({ user_id }) => user_id))])
    const found = new Map<number, UserSummary[]>(ids.map((id) => [id, []]))
    for (const { of, user_id } of pairs) {
      const owner = users.get(user_id)
      if (owner) found.get(of)?.push(owner)
    }
    return ids.map((id) => found.get(id))
  }

/** Id and name of the database whose id is in a column. */
export const databaseColumn =
  <Row>(idOf: (row: Row) => number | null): ColumnResolver<Row> =>
  async (rows, { db }) => {
    const ids = [...new Set(rows.map(idOf).filter((id) => id !== null))].concat(-1)
    const found = await db.selectFrom('database').select(['id', 'database_name']).where('id', 'in', ids).execute()
    return rows.map((row) => found.find(({ id }) => id === idOf(row)) ?? null)
  }

/** Computes a value from each row alone. */
export const computedColumn =
  <Row>(compute: (row: Row) => unknown): ColumnResolver<Row> =>
  (rows) =>
    rows.map(compute)

/** Converts the store's 0 and 1 to false and true. */
export const booleanColumn = <Row>(column: string): ColumnResolver<Row> =>
  computedColumn((row) => readField(row, column) === 1)
export const booleanColumns = <Row>(...columns: string[]): Record<string, ColumnResolver<Row>> =>
  Object.fromEntries(columns.map((column) => [column, booleanColumn<Row>(column)]))

export const agoColumn =
  <Row>(column: string): ColumnResolver<Row> =>
  (rows, { now }) =>
    rows.map((row) => {
      const time = readField(row, column)
      return ago(time === null ? now.toISOString().slice(0, -1) : String(time), now)
    })
const utcColumn = <Row>(column: string): ColumnResolver<Row> =>
  computedColumn((row) => withZone(String(readField(row, column))))

/** Heads of all audited resources. */
export const auditColumns = <Row>(): Record<string, ColumnResolver<Row>> => ({
  created_by: userColumn('created_by_fk'),
  changed_by: userColumn('changed_by_fk'),
  changed_by_name: userNameColumn('changed_by_fk'),
  changed_by_url: userUrlColumn('changed_by_fk'),
  changed_on_delta_humanized: agoColumn('changed_on'),
  created_on_delta_humanized: agoColumn('created_on'),
  changed_on_utc: utcColumn('changed_on'),
})

/** Sort expression for a property of the user whose id is in a column. */
export const sortByUser = (column: string, part: 'first_name' | 'last_name' | 'id') =>
  sql`(select person.${sql.ref(part)} from ${sql.table('user')} as person where person.id = ${sql.ref(column)})`
