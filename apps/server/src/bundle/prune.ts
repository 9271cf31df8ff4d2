import type { ImportSummary } from '@parquetry/model'
import { sql } from 'kysely'
import { chartRemoval } from '../chart/chart-removal.ts'
import { dashboardRemoval } from '../dashboard/dashboard-removal.ts'
import { datasetRemoval } from '../dataset/dataset-removal.ts'
import { type Removal, removeAll } from '../http/removing.ts'
import type { ReadContext } from '../http/resource.ts'
import { datasetName } from '../dataset/stored-dataset.ts'

/** Kinds that are deleted because a bundle does not name them, in this order. All of them go to the trash. */
const prunedKinds = ['dashboard', 'chart', 'dataset'] as const
type PrunedKind = (typeof prunedKinds)[number]

/** An object that a bundle of everything does not name. */
export interface Prunable {
  kind: PrunedKind
  id: number
  name: string
}

interface PrunedRow {
  id: number
  uuid: string
  dashboard_title?: string | null
  slice_name?: string
  table_name?: string
  schema?: string | null
}

/** Finds the objects that are in the store and not in a bundle. */
export async function findPrunable({ db }: Pick<ReadContext, 'db'>, { objects }: ImportSummary): Promise<Prunable[]> {
  const found: Prunable[] = []
  for (const kind of prunedKinds) {
    const kept = new Set(objects.flatMap((object) => (object.kind === kind ? [object.uuid] : [])))
    const { rows } = await sql<PrunedRow>`select * from ${sql.table(kind)} order by id`.execute(db)
    for (const row of rows) if (!kept.has(row.uuid)) found.push({ kind, id: row.id, name: describe(kind, row) })
  }
  return found
}

function describe(
  kind: PrunedKind,
  { dashboard_title, slice_name, table_name = '', schema = null }: PrunedRow,
): string {
  if (kind === 'dashboard') return dashboard_title ?? ''
  return kind === 'chart' ? (slice_name ?? '') : datasetName({ schema, table_name })
}

const removals = { dashboard: dashboardRemoval, chart: chartRemoval, dataset: datasetRemoval } as const

/** Moves objects to the trash, those of a kind all or none, with the checks of the ordinary calls. @throws AppError of these */
export async function prune(context: ReadContext, found: readonly Prunable[]): Promise<void> {
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
    await removeAll(removals[kind] as unknown as Removal<{ id: number; uuid: string }>, ids, { ...context, event })
  }
}
