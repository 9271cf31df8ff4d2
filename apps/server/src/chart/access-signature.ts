import { hash } from 'node:crypto'
import type { PlannerDataset, QueryObject } from '@parquetry/model'
import { formatRights, hasPermission } from '../access/principal.ts'
import { canReadAll } from '../sql-access/table-access.ts'
import { prepareQuery } from './prepare-query.ts'
import { isStorable } from './response-validity.ts'
import { canReadQueryText, type ResolvedQuery } from './resolved-query.ts'

/**
 * Hashes everything that determines the results of prepared queries besides the queries and the clock: the data and its version,
 * the connection, the permitted parts of the dataset, the row-level security rules, and whether the response contains the SQL.
 */
export function computeFingerprint(
  resolved: ResolvedQuery,
  prepared: readonly Pick<ResolvedQuery, 'dataset' | 'rlsRules'>[],
): string {
  const { source, database, cacheTimeout } = resolved
  // `requester` identifies the user for fair queueing and does not affect the response.
  const { requester: _, ...sourceSettings } = source
  const datasets = prepared.map(({ dataset, rlsRules }) => JSON.stringify([hashDataset(dataset), rlsRules])).toSorted()
  const databaseKey = [database.uuid, database.version, database.backend, sourceSettings]
  return hash('sha256', JSON.stringify([databaseKey, cacheTimeout, canReadQueryText(resolved), datasets]), 'base64')
}

/** Timeout for parsing the SQL of a dataset. */
const inspectTimeoutMs = 10_000

/**
 * Signature of what a principal may read of a dataset: principals with the same signature get the same results from any query on
 * it, and the same refusals. It is the outcome of all checks of `prepareQuery`, and what decides its checks of single queries.
 * Null when results depend on templates.
 * @param resolved  without queries
 * @throws AppError as `prepareQuery`
 */
export async function signDatasetAccess(resolved: ResolvedQuery): Promise<string | null> {
  const query: QueryObject = {}
  if (!(await isStorable({ ...resolved, context: { ...resolved.context, queries: [query] } }))) return null
  // The empty query reads nothing, so it is prepared without the check of viewers.
  const { resolved: prepared } = await prepareQuery(
    { ...resolved, via: null },
    query,
    'full',
    AbortSignal.timeout(inspectTimeoutMs),
  )
  const { principal, database, deps, via } = resolved
  // With sub-queries, queries may read further tables.
  const allowsSubqueries = deps.settings.flags['ALLOW_ADHOC_SUBQUERY'] === true
  return JSON.stringify([
    computeFingerprint(resolved, [resolved, prepared]),
    canReadAll(principal, database),
    principal.isAdmin,
    // The dashboard and the permission to drill decide which queries a viewer may run.
    via && [via.dashboardId, hasPermission(principal, ['can_drill', 'Dashboard'])],
    allowsSubqueries ? [principal.id, formatRights(principal)] : null,
  ])
}

const hashes = new WeakMap<object, string>()

/** Many queries share the lists of a dataset. */
function hashList(list: readonly object[]): string {
  const known = hashes.get(list)
  if (known !== undefined) return known
  const text = hash('sha256', JSON.stringify(list), 'base64')
  hashes.set(list, text)
  return text
}

const hashDataset = ({ columns, metrics, ...others }: PlannerDataset): string =>
  hash('sha256', JSON.stringify([others, hashList(columns), hashList(metrics)]), 'base64')
