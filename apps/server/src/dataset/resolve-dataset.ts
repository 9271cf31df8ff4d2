import { AppError, message, type PlannerDataset, type Source } from '@parquetry/model'
import { datasetAccessError, plannerDataset, readDataset, type StoredDataset } from './stored-dataset.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import { resolveSource, type DatabaseRow } from '../connection/source.ts'
import { type AccessPath, canReadData, findViewerPath } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { type ApplicableRule, loadDatasetRules } from '../row-level-security/load-rules.ts'
import { readCached } from '../store/read-cache.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'

/** A dataset that a principal may read: as stored, as planned, with its source and row-level security rules. */
export interface ResolvedDataset {
  dataset: PlannerDataset
  stored: StoredDataset
  database: DatabaseRow
  source: Source
  rlsRules: ApplicableRule[]
  /**
   * Path on which the principal reads the dataset as a viewer, without access to it; null with access. It opens only the queries
   * that `authorizeViewerQuery` allows.
   */
  via: AccessPath | null
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
export async function resolveDataset(
  deps: ConnectionDeps,
  principal: Principal,
  id: number | string,
  { via, sliceId }: RequestOrigin = { via: null, sliceId: null },
): Promise<ResolvedDataset> {
  const { db } = deps
  const access = { db, principal, ...readViewerRules(deps.settings) }
  const readOnce = <T>(key: unknown[], read: () => Promise<T>) => readCached(db, principal, JSON.stringify(key), read)
  const loaded = await readOnce(['dataset', id], async () => {
    const { stored, planner } = await readSharedDataset(db, id)
    const isReadable = await canReadData(access, stored.row.id)
    // A copy, because the outcome of checks is remembered for it.
    return { isReadable, stored, dataset: { ...planner } }
  })
  const { stored, dataset } = loaded
  // Guests who name a dashboard get only its queries, even if their role may read the dataset.
  const viewerPath = loaded.isReadable
    ? principal.kind === 'guest'
      ? via
      : null
    : await readOnce(['via', via, id], async () => {
        const found = await findViewerPath(access, dataset.id, via)
        if (!found) throw datasetAccessError(stored.row)
        return found
      })
  const { database } = stored
  const [opened, chart] = await Promise.all([
    readOnce(['source', id], async () => {
      const [source, rlsRules] = await Promise.all([
        resolveSource(deps, database, principal, dataset.schema),
        loadDatasetRules(db, principal, database, stored.row),
      ])
      return { source, rlsRules }
    }),
    readChart(db, sliceId),
  ])
  return { stored, dataset, database, ...opened, via: viewerPath, chart }
}

/** The document of a dataset, read once for all principals, before access to it is checked. */
const readSharedDataset = (
  db: ConnectionDeps['db'],
  id: number | string,
): Promise<{ stored: StoredDataset; planner: PlannerDataset }> =>
  readCached(db, db, JSON.stringify(['dataset', id]), async () => {
    const stored = await readDataset(db, await findDatasetId(db, id))
    if (!stored) throw datasetNotFound()
    return { stored, planner: plannerDataset(stored) }
  })

/** Read once for all principals: who may see its result may know its timeout. */
async function readChart(db: ConnectionDeps['db'], id: number | null): Promise<ResolvedDataset['chart']> {
  return id === null
    ? undefined
    : readCached(db, db, JSON.stringify(['chart timeout', id]), () =>
        db.selectFrom('chart').select('cache_timeout').where('id', '=', id).executeTakeFirst(),
      )
}

async function findDatasetId(db: ConnectionDeps['db'], id: number | string): Promise<number> {
  if (typeof id === 'number' || /^\d{1,15}$/.test(id)) return Number(id)
  const row = await db.selectFrom('dataset').select('id').where('uuid', '=', id).executeTakeFirst()
  return row?.id ?? -1
}
