import { subjectId, subjectTypes, type AccessEntry, type AccessList } from '@parquetry/model'
import { type Kysely, sql } from 'kysely'
import { databaseViewName, datasetViewName, schemaViewName } from '../access/data-rights.ts'
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

type Entry = Omit<AccessEntry, 'people' | 'subject'> & ({ role: Named } | { user: Named })
interface Named {
  id: number
  name: string
  /** 0 for users who may not sign in; undefined for roles. */
  active?: number
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
    listOwners(db, kind, [id]),
    kind === 'dashboard' ? listViewers(db, id) : [],
    listDataGrants(db, datasets, kind === 'dataset' ? caller : null),
  ])
  const dashboard =
    kind === 'dashboard'
      ? await db.selectFrom('dashboard').select('published').where('id', '=', id).executeTakeFirst()
      : undefined
  const datasetOwners = kind === 'dashboard' ? await listDatasetOwners(db, datasets) : []
  const isRestricted = shared.some((entry) => 'role' in entry)
  const entries = [...administrators, ...owners, ...shared, ...(isRestricted ? [] : [...data, ...datasetOwners])]
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
export const selectEntriesOf = (entries: readonly AccessEntry[], { id, roles }: Principal): AccessEntry[] => {
  const subjects = new Set([...roles.map((role) => subjectId('role', role.id)), subjectId('user', id ?? 0)])
  return entries.filter(({ subject }) => subjects.has(subject.id))
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
  return roles.map((role) => ({ role, reason: 'administrator', opens: null, is_removable: false }))
}

const userName = sql<string>`trim("user".first_name || ' ' || "user".last_name)`.as('name')

async function listOwners(db: Kysely<Tables>, kind: SharedKind, ids: readonly number[]): Promise<Entry[]> {
  const { rows } =
    await sql<Named>`select distinct "user".id, active, ${sql`trim("user".first_name || ' ' || "user".last_name)`} as name
    from ${sql.table(`${kind}_owner`)} as own join "user" on "user".id = own.user_id
    where own.${sql.ref(`${kind}_id`)} in (${sql.join([...ids])}) order by name, "user".id`.execute(db)
  return rows.map((user) => ({ user, reason: 'owner', opens: null, is_removable: false }))
}

const listDatasetOwners = async (db: Kysely<Tables>, datasets: readonly DatasetRow[]): Promise<Entry[]> =>
  datasets.length === 0
    ? []
    : (
        await listOwners(
          db,
          'dataset',
          datasets.map(({ id }) => id),
        )
      ).map((entry) => ({ ...entry, reason: 'data', opens: null }))

async function listViewers(db: Kysely<Tables>, id: number): Promise<Entry[]> {
  const roles = await db
    .selectFrom('dashboard_role')
    .innerJoin('role', 'role.id', 'role_id')
    .select(['role.id', 'name'])
    .where('dashboard_id', '=', id)
    .orderBy('name')
    .execute()
  const users = await db
    .selectFrom('dashboard_viewer')
    .innerJoin('user', 'user.id', 'user_id')
    .select(['user.id', 'active', userName])
    .where('dashboard_id', '=', id)
    .orderBy('name')
    .execute()
  const shared = { reason: 'shared', opens: null, is_removable: true } as const
  return [...roles.map((role) => ({ role, ...shared })), ...users.map((user) => ({ user, ...shared }))]
}

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
        role: { id, name },
        ...toEntry(permission_id, remover?.isAdmin === true),
      })),
    ...users.map(({ id, name, permission_id }) => ({
      user: { id, name },
      ...toEntry(permission_id, remover !== null),
    })),
  ]
}

/** Adds how many active users each entry stands for, directly or through their groups. */
async function countPeople(db: Kysely<Tables>, entries: readonly Entry[]): Promise<AccessEntry[]> {
  const roleIds = [...new Set(entries.flatMap((entry) => ('role' in entry ? [entry.role.id] : [])))]
  const counts = new Map<number, number>()
  if (roleIds.length > 0) {
    const { rows } = await sql<{ role_id: number; n: number }>`select role_id, count(*) as n from (
        select role_id, user_id from user_role where role_id in (${sql.join(roleIds)})
        union select held.role_id, member.user_id from user_group_role as held
          join user_group_member as member on member.group_id = held.group_id where held.role_id in (${sql.join(roleIds)})
      ) as holder join "user" on "user".id = holder.user_id where active = 1 group by role_id`.execute(db)
    for (const { role_id, n } of rows) counts.set(role_id, Number(n))
  }
  return entries.map((entry) => {
    const [type, { id, name, active = 1 }] =
      'role' in entry ? (['role', entry.role] as const) : (['user', entry.user] as const)
    const { reason, opens, is_removable } = entry
    return {
      subject: { id: subjectId(type, id), label: name, type: subjectTypes[type] },
      reason,
      opens,
      people: type === 'role' ? (counts.get(id) ?? 0) : active,
      is_removable,
    }
  })
}
