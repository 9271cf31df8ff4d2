import { AppError, type BundledKind, bundledKinds, message } from '@parquetry/model'
import { PostgresAdapter, sql, type Transaction } from 'kysely'
import { loadRights } from '../access/load-principal.ts'
import { formatRights, type Principal } from '../access/principal.ts'
import type { Tables } from '../store/tables.ts'
import type { NeededObject } from './find-needed.ts'
import type { ImportPlan, PlannedObject } from './import-plan.ts'
import { type Importer, ImportRights } from './import-rights.ts'
import { findStoredObjects, idChunks, type StoredObject } from './stored-objects.ts'

/** The store has changed since the import was planned, so that it has to be planned again. */
export class StalePlan extends AppError {
  constructor() {
    super('conflict', {
      message: message(
        'errors.bundle.stale',
        'Others changed objects of the bundle during the import. Nothing was imported. Import it again.',
      ),
    })
  }
}

/** Two imports at once would both create an object that neither of them finds. */
const importLock = 7241605

/** On SQLite, each transaction takes the lock of the file when it begins. */
async function lockImports(db: Transaction<Tables>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter)
    await sql`select pg_advisory_xact_lock(${importLock})`.execute(db)
}

/** Objects whose stored contents decided about the plan. */
const isCompared = ({ action, state }: PlannedObject): boolean => action === 'replace' || state === 'same'

/** Locks the rows that will be replaced until the end of the transaction. */
async function lockReplaced(db: Transaction<Tables>, objects: readonly PlannedObject[]): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  const idsOf = (kind: BundledKind) =>
    objects.flatMap((object) => (object.kind === kind && isCompared(object) ? (object.stored?.id ?? []) : []))
  for (const kind of bundledKinds)
    for (const ids of idChunks(idsOf(kind).toSorted((a, b) => a - b)))
      await sql`select id from ${sql.table(kind)} where id in (${sql.join(ids)}) order by id for update`.execute(db)
}

/** A dataset of the same table is used under its own UUID. */
const identify = ({ kind, uuid, stored }: PlannedObject) => ({ kind, uuid: stored?.uuid ?? uuid })

function isStale(planned: PlannedObject, found: StoredObject | undefined): boolean {
  const { kind, action, stored } = planned
  if (action === 'create') return found !== undefined && kind !== 'saved_query'
  if (!stored) return false
  if (found?.id !== stored.id || found.datasetName !== stored.datasetName) return true
  return isCompared(planned) && found.version !== stored.version
}

/** @throws AppError `conflict` */
async function refuseChangedRights(db: Transaction<Tables>, principal: Principal): Promise<void> {
  if (principal.id === null || (await loadRights(db, principal.id)) === formatRights(principal)) return
  throw new AppError('conflict', {
    message: message(
      'errors.bundle.rightsChanged',
      'Your permissions changed during the import. Nothing was imported. Import the bundle again.',
    ),
  })
}

/**
 * Locks what an import replaces, and tests that what its plan relied on is unchanged: which objects exist, the contents that are
 * replaced, and the rights of the importer.
 * @throws StalePlan; AppError `conflict` when the importer has other permissions now
 */
export async function refuseStalePlan(
  db: Transaction<Tables>,
  { objects, tables, index: { needed = [] } }: ImportPlan,
  { principal, importer }: { principal?: Principal | undefined; importer?: Importer | undefined },
): Promise<void> {
  await lockImports(db)
  if (principal) await refuseChangedRights(db, principal)
  await lockReplaced(db, objects)
  const now = await findStoredObjects(db, [...objects.map(identify), ...needed])
  const isChanged = (planned: PlannedObject) => isStale(planned, now[planned.kind].get(identify(planned).uuid))
  const isLost = ({ kind, uuid, id }: NeededObject) => now[kind].get(uuid)?.id !== id
  if (objects.some(isChanged) || needed.some(isLost) || (await tables.isStale(db))) throw new StalePlan()
  const rights = importer && (await ImportRights.load({ ...importer, context: { ...importer.context, db } }, now))
  const isRefused = ({ action, kind, stored }: PlannedObject) =>
    action !== 'leave_out' && rights?.refuse(action, kind, stored?.id) !== undefined
  const isHidden = ({ kind, id }: NeededObject) => rights?.canSee(kind, id) === false
  if (objects.some(isRefused) || needed.some(isHidden)) throw new StalePlan()
}
