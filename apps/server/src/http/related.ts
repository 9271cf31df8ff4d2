import { AppError, message, type RelatedQuery } from '@parquetry/model'
import { type Kysely, sql, type SqlBool } from 'kysely'
import { databaseAccess } from '../access/access.ts'
import type { Tables } from '../store/tables.ts'
import { and, type Condition } from '../store/conditions.ts'
import { canReadEmails, type Principal } from '../access/principal.ts'
import { resolvePage, type ReadContext, type Resource, accessConditions } from './resource.ts'

interface Values<T> {
  count: number
  result: { value: T; text: string; extra?: object }[]
}

interface RelatedRow {
  value: number
  text: string
  email?: string
  active?: number
}

/** Objects that a column of a resource can refer to. */
export interface RelatedSource {
  table: 'user' | 'role' | 'database'
  /** Text that is shown and searched. */
  text: ReturnType<typeof sql<string>>
  matches(filter: string): Condition
  visible?(principal: Principal): Condition | undefined
  order: ReturnType<typeof sql>
  withContact?: boolean
}

const part = (text: string, before: '' | '%') => `${before}${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
const startsWith = (column: string) => (filter: string) =>
  sql<SqlBool>`lower(${sql.ref(column)}) like ${part(filter, '')} escape '\\'`

const name = sql<string>`"user".first_name || ' ' || "user".last_name`

/** Users, including inactive ones; `related` leaves out those in EXCLUDE_USERS_FROM_LISTS. */
export const relatedUsers = (options: { withContact?: boolean } = {}): RelatedSource => ({
  table: 'user',
  text: name,
  matches: (filter) =>
    sql<SqlBool>`(lower(${name}) like ${part(filter, '%')} escape '\\' or lower("user".username) like ${part(filter, '%')} escape '\\')`,
  order: sql`"user".first_name, "user".last_name, "user".id`,
  ...options,
})

export const relatedRoles: RelatedSource = {
  table: 'role',
  text: sql<string>`role.name`,
  matches: startsWith('role.name'),
  order: sql`role.name, role.id`,
}

export const relatedDatabases: RelatedSource = {
  table: 'database',
  text: sql<string>`database.database_name`,
  matches: startsWith('database.database_name'),
  visible: databaseAccess,
  order: sql`database.id`,
}

const read = async (
  db: Kysely<Tables>,
  { table, text, order }: RelatedSource,
  conditions: Condition[],
  rest = sql``,
): Promise<RelatedRow[]> => {
  const contact = table === 'user' ? sql`, "user".email, "user".active` : sql``
  const id = sql.ref(`${table}.id`)
  return (
    await sql<RelatedRow>`select ${id} as value, ${text} as text${contact} from ${sql.table(table)}
      where ${and(conditions)} order by ${order}${rest}`.execute(db)
  ).rows
}

/**
 * `GET /api/v1/<resource>/related/{column}`.
 * @param hidden  user names left out of lists
 * @throws AppError `unprocessable` for `page` together with `include_ids`
 */
export async function related(
  source: RelatedSource,
  query: RelatedQuery,
  { db, principal }: ReadContext,
  hidden: readonly string[],
): Promise<Values<number>> {
  const include = query.include_ids ?? []
  if (include.length > 0 && (query.page ?? 0) > 0)
    throw new AppError('unprocessable', { message: message('errors.http.pageWithIds', 'Could not process entity') })
  const allowed = source.visible?.(principal)
  const conditions: Condition[] = allowed ? [allowed] : []
  if (source.table === 'user' && hidden.length > 0)
    conditions.push(sql<SqlBool>`"user".username not in (${sql.join([...hidden])})`)
  const matching = query.filter ? [...conditions, source.matches(query.filter)] : conditions
  const { limit, offset } = resolvePage({ page: query.page, page_size: query.page_size })
  const found = await read(db, source, matching, sql` limit ${limit} offset ${offset}`)
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from ${sql.table(source.table)} where ${and(matching)}`.execute(db)
  const missing = include.filter((id) => !found.some(({ value }) => value === id))
  const added =
    missing.length === 0
      ? []
      : await read(db, source, [
          ...conditions,
          sql<SqlBool>`${sql.ref(`${source.table}.id`)} in (${sql.join(missing)})`,
        ])
  return {
    count: Number(rows[0]?.n ?? 0) + added.length,
    result: [...found, ...added].map(({ value, text, email, active }) => ({
      value,
      text,
      extra: source.withContact ? { ...(canReadEmails(principal) && { email }), active: active === 1 } : {},
    })),
  }
}

/** `GET /api/v1/<resource>/distinct/{column}`: values of rows that the caller may see; null is counted but not listed. */
export async function distinct<Row extends { id: number }>(
  resource: Resource<Row>,
  column: string,
  query: RelatedQuery,
  context: ReadContext,
): Promise<Values<string>> {
  const ref = sql.ref(`${resource.kind}.${column}`)
  const conditions = accessConditions(resource, context)
  if (query.filter) conditions.push(startsWith(`${resource.kind}.${column}`)(query.filter))
  const { limit, offset } = resolvePage({ page: query.page, page_size: query.page_size })
  const values = sql<{
    value: string | null
  }>`select distinct ${ref} as value from ${sql.table(resource.kind)} where ${and(conditions)}`
  const { rows } = await sql<{
    value: string | null
  }>`${values} order by value limit ${limit} offset ${offset}`.execute(context.db)
  const countResult = await sql<{ n: number }>`select count(*) as n from (${values}) as found`.execute(context.db)
  return {
    count: Number(countResult.rows[0]?.n ?? 0),
    result: rows.flatMap(({ value }) => (value === null ? [] : [{ text: value, value }])),
  }
}
