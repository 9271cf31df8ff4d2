import { AppError, message, type PlannerDataset, type Source } from '@parquetry/model'
import type { RowRule } from '@parquetry/query'
import { describeDataset, type StoredDataset } from './describe.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import { sourceOf, type DatabaseRow } from '../connection/source.ts'
import type { Via } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { rowRulesFor } from '../access/row-rules.ts'
import { readOnce } from '../store/kept-reads.ts'

/** A dataset that somebody may read: as it is stored, as it is planned on, where it runs and by which rules. */
export interface OpenedDataset {
  dataset: PlannerDataset
  stored: StoredDataset
  database: DatabaseRow
  source: Source
  rowRules: RowRule[]
  /** The saved chart that asks. */
  chart: { cache_timeout: number | null } | undefined
}

/** The chart or filter, and the dashboard, that a request says it comes from. */
export interface Origin {
  via: Via | null
  sliceId: number | null
}

/** This call says so in other words than those of datasets. */
export const notFound = (): AppError =>
  new AppError('dataset_not_found', { message: message('errors.dataset.notFound', 'Not found') })

/**
 * A dataset with the row rules that hold for a principal. A dashboard asks for the same twenty times, so it is read once.
 * @throws AppError `dataset_not_found`, `dataset_access`
 */
export const openDataset = (
  deps: ConnectionDeps,
  principal: Principal,
  id: number | string,
  { via, sliceId }: Origin = { via: null, sliceId: null },
): Promise<OpenedDataset> =>
  readOnce(deps.db, principal, JSON.stringify(['dataset', id, via, sliceId]), async () => {
    const { db } = deps
    const access = { db, principal, dashboardRoles: deps.settings.flags['DASHBOARD_RBAC'] === true }
    const opened = await describeDataset(access, await datasetIdOf(db, id), via).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'dataset_not_found' ? notFound() : error
    })
    const [source, rowRules, chart] = await Promise.all([
      sourceOf(deps, opened.database, principal, opened.dataset.schema),
      rowRulesFor(db, principal, opened.dataset.id),
      chartOf(db, sliceId),
    ])
    return { ...opened, source, rowRules, chart }
  })

async function chartOf(db: ConnectionDeps['db'], id: number | null): Promise<OpenedDataset['chart']> {
  return id === null
    ? undefined
    : db.selectFrom('chart').select('cache_timeout').where('id', '=', id).executeTakeFirst()
}

async function datasetIdOf(db: ConnectionDeps['db'], id: number | string): Promise<number> {
  if (typeof id === 'number' || /^\d{1,15}$/.test(id)) return Number(id)
  const row = await db.selectFrom('dataset').select('id').where('uuid', '=', id).executeTakeFirst()
  return row?.id ?? -1
}
