import { subjectId, type SubjectType, subjectTypes, type AccessEntry, type AccessList } from '@parquetry/model'
import { type Kysely, sql } from 'kysely'
import { databaseViewName, datasetViewName, schemaViewName } from '../access/data-rights.ts'
import { editorLinks, type SubjectLinks, subjectsOf, viewerLinks } from '../access/subject-links.ts'
import type { Principal } from '../access/principal.ts'
import type { Tables } from '../store/tables.ts'

export type SharedKind = 'dashboard' | 'dataset'

interface DatasetRow {
  id: number
  table_name: string
  schema: string | null
  database_id: number
  database_name: string
}

interface Entry extends Omit<AccessEntry, 'people' | 'subject'> {
  type: SubjectType
  id: number
  name: string
  /** 0 for users who may not sign in. */
  active: number
}

const allDataPermissions = ['all_datasource_access', 'all_database_access']

/**
 * Everyone who can open a dashboard or read a dataset, and why: the same rules as `dashboardAccess` and `datasetAccess`, read from
 * the object's side. A subject with several reasons has several entries.
 */
export async function listAccess(
  db: Kysely<Tables>,
  kind: SharedKind,
  id: number,
  caller: Principal,
): Promise<AccessList['result']> {
  const datasets = await listDatasets(db, kind, id)
  const [administrators, owners, shared, data] = await Promise.all([
    listAdministrators(db),
    listLinked(db, editorLinks[kind], [id]),
    kind === 'dashboard' ? listLinked(db, viewerLinks.dashboard, [id]) : [],
    listDataGrants(db, datasets, kind === 'dataset' ? caller : null),
  ])
  const dashboard =
    kind === 'dashboard'
      ? await db
          .selectFrom('dashboard')
          .leftJoin('dashboard_restriction', 'dashboard_id', 'id')
          .select(['published', 'dashboard_id'])
          .where('id', '=', id)
          .executeTakeFirst()
      : undefined
  const datasetOwners = kind === 'dashboard' ? await listDatasetOwners(db, datasets) : []
  const isRestricted = dashboard?.dashboard_id != null || shared.some(({ type }) => type !== 'user')
  const entries = [
    ...administrators,
    ...owners.map((owner) => ({ ...owner, reason: 'owner', opens: null, is_removable: false }) as const),
    ...shared.map((viewer) => ({ ...viewer, reason: 'shared', opens: null, is_removable: true }) as const),
    ...(isRestricted ? [] : [...data, ...datasetOwners]),
  ]
  return {
    is_published: kind === 'dataset' || dashboard?.published === 1,
    is_restricted: isRestricted,
    entries: await countPeople(db, withoutRepetitions(entries)),
  }
}

/** Different permissions can open the same, such as both of those on all data. */
const withoutRepetitions = (entries: readonly Entry[]): Entry[] => [
  ...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values(),
]

/** The entries that apply to a user. */
export const selectEntriesOf = (entries: readonly AccessEntry[], principal: Principal): AccessEntry[] => {
  const own = new Set(subjectsOf(principal).flatMap(([type, ids]) => ids.map((id) => subjectId(type, id))))
  return entries.filter(({ subject }) => own.has(subject.id))
}

async function listDatasets(db: Kysely<Tables>, kind: SharedKind, id: number): Promise<DatasetRow[]> {
  const where =
    kind === 'dataset'
      ? sql`dataset.id = ${id}`
      : sql`dataset.id in (select chart.datasource_id from dashboard_chart join chart on chart.id = chart_id
          where dashboard_id = ${id})`
  const { rows } = await sql<DatasetRow>`select dataset.id, table_name, "schema", database_id, database_name
    from dataset join "database" on "database".id = database_id where ${where} order by table_name, dataset.id`.execute(
    db,
  )
  return rows
}

const listAdministrators = async (db: Kysely<Tables>): Promise<Entry[]> => {
  const roles = await db
    .selectFrom('role')
    .select(['id', 'name'])
    .where(({ fn, eb }) => eb(fn<string>('lower', ['name']), '=', 'admin'))
    .execute()
  return roles.map((role) => ({
    ...role,
    type: 'role',
    active: 1,
    reason: 'administrator',
    opens: null,
    is_removable: false,
  }))
}

const userName = sql<string>`trim("user".first_name || ' ' || "user".last_name)`.as('name')

/** The subjects of objects: groups and roles first, each by name. */
async function listLinked(
  db: Kysely<Tables>,
  links: SubjectLinks,
  ids: readonly number[],
): Promise<Pick<Entry, 'type' | 'id' | 'name' | 'active'>[]> {
  const found = await Promise.all(
    (['role', 'group', 'user'] as const).map(async (type) => {
      const { through, own, other } = links[type]
      const { rows } = await sql<{ id: number; name: string; active: number | null }>`
        select distinct subject.${sql.ref(other)} as id, subject.label as name, subject.active
        from ${sql.table(through)} as link join subject on subject.${sql.ref(other)} = link.${sql.ref(other)}
        where link.${sql.ref(own)} in (${sql.join([...ids])}) order by name, id`.execute(db)
      return rows.map(({ id, name, active }) => ({ type, id: Number(id), name, active: Number(active ?? 1) }))
    }),
  )
  return found.flat()
}

const listDatasetOwners = async (db: Kysely<Tables>, datasets: readonly DatasetRow[]): Promise<Entry[]> =>
  datasets.length === 0
    ? []
    : (
        await listLinked(
          db,
          editorLinks.dataset,
          datasets.map(({ id }) => id),
        )
      ).map((entry) => ({ ...entry, reason: 'data', opens: null, is_removable: false }))

/**
 * Roles and users with a permission that opens at least one of the datasets.
 * @param remover  may end grants on the dataset itself: those of users, and as an administrator also those of roles
 */
async function listDataGrants(
  db: Kysely<Tables>,
  datasets: readonly DatasetRow[],
  remover: Principal | null,
): Promise<Entry[]> {
  const labels = new Map<string, string | null>(allDataPermissions.map((name) => [`${name} ${name}`, null]))
  for (const { id, table_name, schema, database_id, database_name } of datasets) {
    labels.set(`datasource_access ${datasetViewName(database_name, { id, table_name })}`, table_name)
    labels.set(`database_access ${databaseViewName({ database_name, id: database_id })}`, database_name)
    if (schema) labels.set(`schema_access ${schemaViewName(database_name, schema)}`, `${database_name}.${schema}`)
  }
  const pairs = await db
    .selectFrom('permission')
    .selectAll()
    .where('name', 'in', ['datasource_access', 'database_access', 'schema_access', ...allDataPermissions])
    .where('view', 'in', [...new Set([...labels.keys()].map((pair) => pair.slice(pair.indexOf(' ') + 1)))])
    .execute()
  const byId = new Map(pairs.filter(({ name, view }) => labels.has(`${name} ${view}`)).map((pair) => [pair.id, pair]))
  if (byId.size === 0) return []
  const roles = await db
    .selectFrom('role_permission')
    .innerJoin('role', 'role.id', 'role_id')
    .select(['role.id', 'role.name', 'permission_id'])
    .where('permission_id', 'in', [...byId.keys()])
    .orderBy('role.name')
    .execute()
  const users = await db
    .selectFrom('user_permission')
    .innerJoin('user', 'user.id', 'user_id')
    .select(['user.id', 'active', userName, 'permission_id'])
    .where('permission_id', 'in', [...byId.keys()])
    .orderBy('name')
    .execute()
  const toEntry = (permissionId: number, mayRemove: boolean) => {
    const pair = byId.get(permissionId)
    return {
      reason: 'data',
      opens: labels.get(`${pair?.name} ${pair?.view}`) ?? null,
      is_removable: mayRemove && pair?.name === 'datasource_access',
    } as const
  }
  return [
    ...roles
      .filter(({ name }) => name.toLowerCase() !== 'admin')
      .map(({ id, name, permission_id }) => ({
        type: 'role' as const,
        id,
        name,
        active: 1,
        ...toEntry(permission_id, remover?.isAdmin === true),
      })),
    ...users.map(({ id, name, active, permission_id }) => ({
      type: 'user' as const,
      id,
      name,
      active,
      ...toEntry(permission_id, remover !== null),
    })),
  ]
}

/** Adds how many active users each entry stands for, directly or through their groups. */
async function countPeople(db: Kysely<Tables>, entries: readonly Entry[]): Promise<AccessEntry[]> {
  const idsOf = (type: SubjectType) => [...new Set(entries.flatMap((entry) => (entry.type === type ? [entry.id] : [])))]
  const counts = new Map<number, number>()
  const count = async (type: 'role' | 'group', holders: ReturnType<typeof sql>) => {
    const { rows } = await sql<{ id: number; n: number }>`select holder.id, count(*) as n from (${holders}) as holder
      join "user" on "user".id = holder.user_id where active = 1 group by holder.id`.execute(db)
    for (const { id, n } of rows) counts.set(subjectId(type, Number(id)), Number(n))
  }
  const [roles, groups] = [idsOf('role'), idsOf('group')]
  if (roles.length > 0)
    await count(
      'role',
      sql`select role_id as id, user_id from user_role where role_id in (${sql.join(roles)})
        union select held.role_id, member.user_id from user_group_role as held
          join user_group_member as member on member.group_id = held.group_id where held.role_id in (${sql.join(roles)})`,
    )
  if (groups.length > 0)
    await count(
      'group',
      sql`select group_id as id, user_id from user_group_member where group_id in (${sql.join(groups)})`,
    )
  return entries.map(({ type, id, name, active, reason, opens, is_removable }) => ({
    subject: { id: subjectId(type, id), label: name, type: subjectTypes[type] },
    reason,
    opens,
    people: type === 'user' ? active : (counts.get(subjectId(type, id)) ?? 0),
    is_removable,
  }))
}
