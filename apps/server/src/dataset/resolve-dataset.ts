import { AppError, message, type PlannerDataset, type Source } from '@parquetry/model'
import { loadReadableDataset, type StoredDataset } from './stored-dataset.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import { resolveSource, type DatabaseRow } from '../connection/source.ts'
import type { AccessPath } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { type ApplicableRule, loadDatasetRules } from '../row-level-security/load-rules.ts'
import { readCached } from '../store/read-cache.ts'

/** A dataset that a principal may read: as stored, as planned, with its source and row-level security rules. */
export interface ResolvedDataset {
  dataset: PlannerDataset
  stored: StoredDataset
  database: DatabaseRow
  source: Source
  rlsRules: ApplicableRule[]
  /** The saved chart of the request. */
  chart: { cache_timeout: number | null } | undefined
}

/** The chart or filter, and the dashboard, that a request claims to come from. */
export interface RequestOrigin {
  via: AccessPath | null
  sliceId: number | null
}

/** `dataset_not_found` with the message that chart data requests use. */
export const datasetNotFound = (): AppError =>
  new AppError('dataset_not_found', { message: message('errors.dataset.notFound', 'Not found') })

/**
 * Opens a dataset with the row-level security rules of a principal. It is read once, because a dashboard requests the same one
 * many times.
 * @throws AppError `dataset_not_found`, `dataset_access`
 */
export const resolveDataset = (
  deps: ConnectionDeps,
  principal: Principal,
  id: number | string,
  { via, sliceId }: RequestOrigin = { via: null, sliceId: null },
): Promise<ResolvedDataset> =>
  readCached(deps.db, principal, JSON.stringify(['dataset', id, via, sliceId]), async () => {
    const { db } = deps
    const access = { db, principal, dashboardRoles: deps.settings.flags['DASHBOARD_RBAC'] === true }
    const loaded = await loadReadableDataset(access, await findDatasetId(db, id), via).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'dataset_not_found' ? datasetNotFound() : error
    })
    const [source, rlsRules, chart] = await Promise.all([
      resolveSource(deps, loaded.database, principal, loaded.dataset.schema),
      loadDatasetRules(db, principal, loaded.database, loaded.stored.row),
      readChart(db, sliceId),
    ])
    return { ...loaded, source, rlsRules, chart }
  })

async function readChart(db: ConnectionDeps['db'], id: number | null): Promise<ResolvedDataset['chart']> {
  return id === null
    ? undefined
    : db.selectFrom('chart').select('cache_timeout').where('id', '=', id).executeTakeFirst()
}

async function findDatasetId(db: ConnectionDeps['db'], id: number | string): Promise<number> {
  if (typeof id === 'number' || /^\d{1,15}$/.test(id)) return Number(id)
  const row = await db.selectFrom('dataset').select('id').where('uuid', '=', id).executeTakeFirst()
  return row?.id ?? -1
}
