import { AppError, message, type RelatedQuery, type SubjectType, subjectTypes } from '@parquetry/model'
import { type Kysely, sql, type SqlBool } from 'kysely'
import { databaseAccess, datasetAccess } from '../access/access.ts'
import type { Tables } from '../store/tables.ts'
import type { SubjectView } from '../store/tables/users.ts'
import { and, type Condition } from '../store/conditions.ts'
import { canReadEmails, type Principal } from '../access/principal.ts'
import { countFromPage, resolvePage, type ReadContext, type Resource, accessConditions } from './resource.ts'

interface Values<T> {
  count: number
  result: { value: T; text: string; extra?: Record<string, unknown> }[]
}

interface RelatedRow {
  value: number
  text: string
}

/** Objects that a column of a resource can refer to. */
export interface RelatedSource {
  table: 'user' | 'role' | 'database' | 'dataset' | 'subject' | 'chart' | 'dashboard'
  /** Text that is shown and searched. */
  text: ReturnType<typeof sql<string>>
  matches(filter: string): Condition
  visible?(context: Pick<ReadContext, 'principal' | 'dashboardRoles'>): Condition | undefined
  order: ReturnType<typeof sql>
  /** Rows that are not users named in EXCLUDE_USERS_FROM_LISTS. */
  except?(usernames: readonly string[]): Condition
  /** Further columns, and what is sent of them in `extra`. */
  more?: { columns: ReturnType<typeof sql>; toExtra(row: never, principal: Principal): Record<string, unknown> }
}

const part = (text: string, before: '' | '%') => `${before}${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
/**
 * The text contains the filter in any case. `lower` of SQLite is our own function, which takes most of the time of a search; `like`
 * itself ignores ASCII case there.
 */
const contains = (text: ReturnType<typeof sql>, filter: string) =>
  /^[ -~]*$/.test(filter)
    ? sql<SqlBool>`case when 'a' not like 'A' then lower(${text}) like ${part(filter, '%')} escape '\\'
        else ${text} like ${part(filter, '%')} escape '\\' end`
    : sql<SqlBool>`lower(${text}) like ${part(filter, '%')} escape '\\'`
const startsWith = (column: string) => (filter: string) =>
  sql<SqlBool>`lower(${sql.ref(column)}) like ${part(filter, '')} escape '\\'`

const name = sql<string>`"user".first_name || ' ' || "user".last_name`

const contact: RelatedSource['more'] = {
  columns: sql`"user".email, "user".active`,
  toExtra: ({ email, active }: { email: string; active: number }, principal) => ({
    ...(canReadEmails(principal) && { email }),
    active: active === 1,
  }),
}

/** Users, including inactive ones. */
export const relatedUsers = ({ withContact = false } = {}): RelatedSource => ({
  table: 'user',
  text: name,
  matches: (filter) =>
    sql<SqlBool>`(lower(${name}) like ${part(filter, '%')} escape '\\' or lower("user".username) like ${part(filter, '%')} escape '\\')`,
  order: sql`"user".first_name, "user".last_name, "user".id`,
  except: (usernames) => sql<SqlBool>`"user".username not in (${sql.join([...usernames])})`,
  ...(withContact && { more: contact }),
})

/** Users, roles and groups to whom something can be granted, with the id of their subject. */
export const relatedSubjects = (types: readonly SubjectType[] | null): RelatedSource => ({
  table: 'subject',
  text: sql<string>`subject.label`,
  matches: (filter) => contains(sql`(subject.label || ' ' || subject.extra_search)`, filter),
  visible: () =>
    sql<SqlBool>`subject.type in (${sql.join([0, ...(types ?? (Object.keys(subjectTypes) as SubjectType[])).map((type) => subjectTypes[type])])})`,
  // Roles and groups first: there are fewer of them than users.
  order: sql`case subject.type when 1 then 1 else 0 end, subject.label, subject.id`,
  except: (usernames) =>
    sql<SqlBool>`(subject.user_id is null or subject.extra_search not in (${sql.join([...usernames])}))`,
  more: {
    columns: sql`subject.type, subject.active, subject.secondary_label`,
    toExtra: (
      { type, active, secondary_label }: Pick<SubjectView, 'type' | 'active' | 'secondary_label'>,
      principal,
    ) => ({
      type,
      active: active === null ? null : active === 1,
      secondary_label: type !== subjectTypes.user || canReadEmails(principal) ? secondary_label : '',
      img: null,
    }),
  },
})

export const relatedRoles: RelatedSource = {
  table: 'role',
  text: sql<string>`role.name`,
  matches: startsWith('role.name'),
  order: sql`role.name, role.id`,
}

const datasetName = sql<string>`case when coalesce(dataset."schema", '') = '' then dataset.table_name
  else dataset."schema" || '.' || dataset.table_name end`

export const relatedDatasets: RelatedSource = {
  table: 'dataset',
  text: datasetName,
  matches: (filter) => sql<SqlBool>`lower(${datasetName}) like ${part(filter, '%')} escape '\\'`,
  visible: ({ principal }) => datasetAccess(principal),
  order: sql`dataset.table_name, dataset.id`,
}

export const relatedDatabases: RelatedSource = {
  table: 'database',
  text: sql<string>`database.database_name`,
  matches: startsWith('database.database_name'),
  visible: ({ principal }) => databaseAccess(principal),
  order: sql`database.id`,
}

/** Charts or dashboards that the caller may see, by title. */
export const relatedObjects = (
  table: 'chart' | 'dashboard',
  title: string,
  visible: NonNullable<RelatedSource['visible']>,
): RelatedSource => ({
  table,
  text: sql<string>`coalesce(${sql.ref(`${table}.${title}`)}, '')`,
  matches: startsWith(`${table}.${title}`),
  visible,
  order: sql.ref(`${table}.id`),
})

const read = async (
  db: Kysely<Tables>,
  { table, text, order, more }: RelatedSource,
  conditions: Condition[],
  rest = sql``,
): Promise<RelatedRow[]> => {
  const id = sql.ref(`${table}.id`)
  return (
    await sql<RelatedRow>`select ${id} as value, ${text} as text${more ? sql`, ${more.columns}` : sql``} from ${sql.table(table)}
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
  context: ReadContext,
  hidden: readonly string[],
): Promise<Values<number>> {
  const include = query.include_ids ?? []
  if (include.length > 0 && (query.page ?? 0) > 0)
    throw new AppError('unprocessable', { message: message('errors.http.pageWithIds', 'Could not process entity') })
  const { db, principal } = context
  const allowed = source.visible?.(context)
  const conditions: Condition[] = allowed ? [allowed] : []
  if (source.except && hidden.length > 0) conditions.push(source.except(hidden))
  const matching = query.filter ? [...conditions, source.matches(query.filter)] : conditions
  const { limit, offset } = resolvePage({ page: query.page, page_size: query.page_size })
  const found = await read(db, source, matching, sql` limit ${limit} offset ${offset}`)
  const count = async () =>
    (await sql<{ n: number }>`select count(*) as n from ${sql.table(source.table)} where ${and(matching)}`.execute(db))
      .rows[0]?.n
  const total = countFromPage(found.length, { limit, offset }) ?? (await count())
  const missing = include.filter((id) => !found.some(({ value }) => value === id))
  const added =
    missing.length === 0
      ? []
      : await read(db, source, [
          ...conditions,
          sql<SqlBool>`${sql.ref(`${source.table}.id`)} in (${sql.join(missing)})`,
        ])
  return {
    count: Number(total ?? 0) + added.length,
    result: [...found, ...added].map((row) => ({
      value: row.value,
      text: row.text,
      extra: source.more?.toExtra(row as never, principal) ?? {},
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
