import { engineFor, resolveSource } from '../connection/source.ts'
import type { ChartDeps } from './deps.ts'
import { forgetRollups } from './shared-scans/rollup-state.ts'

/**
 * Deletes the cached results of datasets, and all rollups of their databases: a rollup belongs to rows, which several datasets may
 * share.
 */
export async function invalidateDatasets(deps: ChartDeps, datasets: ReadonlySet<number>): Promise<void> {
  await deps.cache.invalidate(datasets)
  if (datasets.size === 0) return
  const databases = await deps.db
    .selectFrom('database')
    .selectAll()
    .where('id', 'in', (query) =>
      query
        .selectFrom('dataset')
        .select('database_id')
        .where('id', 'in', [...datasets]),
    )
    .execute()
  for (const database of databases) {
    forgetRollups(deps.runners, { id: database.uuid })
    // A runner drops its rollups whenever the tables are sent to it.
    if (engineFor(database).kind === 'embedded')
      await deps.runners.tablesChanged(await resolveSource(deps, database, 'system'))
  }
}
