import { type Kysely, sql, type SqlBool } from 'kysely'
import type { Condition } from '../store/conditions.ts'
import type { Principal } from './principal.ts'
import { readWithTtl } from '../store/ttl-cache.ts'
import type { Tables } from '../store/tables.ts'
import { editorLinks, selectLinked, viewerLinks } from './subject-links.ts'
import { datasetAccess, type ObjectKind, readableCharts, readableDatasets } from './access.ts'

type Ids = ReturnType<typeof sql>
type Held = 'chart' | 'dashboard'

/** Up to this many rows, look-up and sort are faster than walking an index of 100,000 rows. */
const maxCandidates = 500

const starredIds = (id: number): Ids => sql`select object_id from favorite where kind = 'dashboard' and user_id = ${id}`

/**
 * Subquery of ids, possibly repeated, that includes all charts or dashboards that `visible` lets the principal see, and maybe
 * more. Undefined: no restriction.
 */
function candidates(kind: Held, principal: Principal): Ids | undefined {
  const datasets = datasetAccess(principal)
  if (!datasets) return undefined
  const { id } = principal
  const linked = [...selectLinked(editorLinks[kind], principal), ...selectLinked(viewerLinks[kind], principal)]
  const parts =
    kind === 'chart'
      ? [sql`select chart.id from chart where chart.datasource_id in (${readableDatasets(datasets)})`, ...linked]
      : [
          sql`select shown.dashboard_id from ${readableCharts(datasets)}`,
          ...(id === null ? [] : [starredIds(id)]),
          ...linked,
        ]
  return sql.join(parts, sql` union all `)
}

/**
 * Additional condition for lists of charts and dashboards, always combined with `visible`. When the principal can see few rows,
 * it leads the store directly to them, so that it does not check every row; with many visible rows it is empty, because a page
 * fills up quickly. The choice depends on a count that is cached for a while; the resulting rows are the same either way.
 */
export async function candidateConditions(
  db: Kysely<Tables>,
  kind: ObjectKind | 'log',
  principal: Principal,
): Promise<Condition[]> {
  const ids = kind === 'chart' || kind === 'dashboard' ? candidates(kind, principal) : undefined
  if (!ids) return []
  const countQuery = sql<{ n: number }>`select count(*) as n
    from (select 1 as one from (${ids}) as candidate limit ${maxCandidates + 1}) as counted`
  const { sql: text, parameters } = countQuery.compile(db)
  const found = await readWithTtl(db, JSON.stringify([text, parameters]), () => countQuery.execute(db))
  return Number(found.rows[0]?.n) > maxCandidates ? [] : [sql<SqlBool>`${sql.ref(`${kind}.id`)} in (${ids})`]
}
