import { type Kysely, sql, type SqlBool } from 'kysely'
import type { Condition } from '../store/conditions.ts'
import type { Principal } from './principal.ts'
import { readWithTtl } from '../store/ttl-cache.ts'
import type { Tables } from '../store/tables.ts'
import { datasetAccess, type ObjectKind, readableCharts, readableDatasets } from './access.ts'

type Ids = ReturnType<typeof sql>
type Held = 'chart' | 'dashboard'

/** Up to so many are looked up and sorted sooner than they are met on a walk through all of 100,000. */
const maxCandidates = 500

const ownedIds = (kind: Held, id: number): Ids =>
  sql`select ${sql.ref(`${kind}_id`)} from ${sql.table(`${kind}_owner`)} where user_id = ${id}`

const starredIds = (id: number): Ids => sql`select object_id from favorite where kind = 'dashboard' and user_id = ${id}`

const listRoleDashboards = (roles: Principal['roles']): Ids[] =>
  roles.length === 0
    ? []
    : [sql`select dashboard_id from dashboard_role where role_id in (${sql.join(roles.map(({ id }) => id))})`]

/**
 * Ids, some of them twice, among which are all charts or dashboards that `visible` lets the principal see. It may let him see
 * fewer. Undefined: any may be.
 */
function candidates(kind: Held, principal: Principal): Ids | undefined {
  const datasets = datasetAccess(principal)
  if (!datasets) return undefined
  const { id, roles } = principal
  const own = id === null ? [] : [ownedIds(kind, id)]
  const parts =
    kind === 'chart'
      ? [sql`select chart.id from chart where chart.datasource_id in (${readableDatasets(datasets)})`, ...own]
      : [
          sql`select shown.dashboard_id from ${readableCharts(datasets)}`,
          ...(id === null ? [] : [starredIds(id)]),
          ...listRoleDashboards(roles),
          ...own,
        ]
  return sql.join(parts, sql` union all `)
}

/**
 * For lists of charts and dashboards, beside `visible` and never instead of it: where the principal can see few of them, the
 * condition that leads the store to those, so that it does not ask about every row. Nothing where he can see many: then a page is
 * full after a few rows. Which of the two is decided by a count that is kept for a while; rows are the same either way.
 */
export async function candidateConditions(
  db: Kysely<Tables>,
  kind: ObjectKind | 'log',
  principal: Principal,
): Promise<Condition[]> {
  const ids = kind === 'chart' || kind === 'dashboard' ? candidates(kind, principal) : undefined
  if (!ids) return []
  const counted = sql<{ n: number }>`select count(*) as n
    from (select 1 as one from (${ids}) as candidate limit ${maxCandidates + 1}) as counted`
  const { sql: text, parameters } = counted.compile(db)
  const found = await readWithTtl(db, JSON.stringify([text, parameters]), () => counted.execute(db))
  return Number(found.rows[0]?.n) > maxCandidates ? [] : [sql<SqlBool>`${sql.ref(`${kind}.id`)} in (${ids})`]
}
