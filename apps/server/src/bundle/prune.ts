import type { BundledKind } from '@parquetry/model'
import type { Kysely, Transaction } from 'kysely'
import { chartRemoval } from '../chart/chart-removal.ts'
import { dashboardRemoval } from '../dashboard/dashboard-removal.ts'
import { datasetRemoval } from '../dataset/dataset-removal.ts'
import { datasetName } from '../dataset/stored-dataset.ts'
import { type Removal, removeWithin } from '../http/removing.ts'
import type { ReadContext } from '../http/resource.ts'
import type { Tables } from '../store/tables.ts'

/** Kinds that are deleted because a bundle does not name them, in this order. All of them go to the trash. */
const prunedKinds = ['dashboard', 'chart', 'dataset'] as const
type PrunedKind = (typeof prunedKinds)[number]

/** An object that a bundle of everything does not name. */
export interface Prunable {
  kind: PrunedKind
  id: number
  name: string
}

const rowsOf: Record<PrunedKind, (db: Kysely<Tables>) => Promise<(Omit<Prunable, 'kind'> & { uuid: string })[]>> = {
  dashboard: async (db) => {
    const rows = await db.selectFrom('dashboard').select(['id', 'uuid', 'dashboard_title']).orderBy('id').execute()
    return rows.map(({ id, uuid, dashboard_title }) => ({ id, uuid, name: dashboard_title ?? '' }))
  },
  chart: (db) => db.selectFrom('chart').select(['id', 'uuid', 'slice_name as name']).orderBy('id').execute(),
  dataset: async (db) => {
    const rows = await db.selectFrom('dataset').select(['id', 'uuid', 'schema', 'table_name']).orderBy('id').execute()
    return rows.map(({ id, uuid, ...table }) => ({ id, uuid, name: datasetName(table) }))
  },
}

/** Finds the objects that are in the store and not in a bundle. */
export async function findPrunable(
  db: Kysely<Tables>,
  objects: readonly { kind: BundledKind; uuid: string }[],
): Promise<Prunable[]> {
  const found: Prunable[] = []
  for (const kind of prunedKinds) {
    const kept = new Set(objects.flatMap((object) => (object.kind === kind ? [object.uuid] : [])))
    for (const { uuid, id, name } of await rowsOf[kind](db)) if (!kept.has(uuid)) found.push({ kind, id, name })
  }
  return found
}

const removals = { dashboard: dashboardRemoval, chart: chartRemoval, dataset: datasetRemoval } as const

/** Moves objects to the trash in a transaction, with the checks of the ordinary calls. @throws AppError of these */
export async function prune(trx: Transaction<Tables>, context: ReadContext, found: readonly Prunable[]): Promise<void> {
  for (const kind of prunedKinds) {
    const ids = found.flatMap((object) => (object.kind === kind ? [object.id] : []))
    if (ids.length === 0) continue
    const event = {
      action: `${kind}.delete`,
      user_id: context.principal.id,
      dashboard_id: null,
      slice_id: null,
      json: null,
      isWritten: false,
    }
    const removal = removals[kind] as unknown as Removal<{ id: number; uuid: string }>
    await removeWithin(trx, removal, ids, { ...context, event })
  }
}
