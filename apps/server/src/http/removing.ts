import type { bulkDelete, PermissionPair, writingRoutes } from '@parquetry/model'
import type { Transaction } from 'kysely'
import type { TSchema } from 'typebox'
import type { ObjectKind } from '../access/access.ts'
import type { AuditEvent } from '../store/audit-log.ts'
import type { Tables } from '../store/tables.ts'
import { moveToTrash, type TrashOptions } from '../store/trash.ts'
import { record } from '../store/write.ts'
import type { App } from './app.ts'
import { type Resource, visibleRows } from './resource.ts'
import { readContext } from './serve-resource.ts'
import { serve } from './serve.ts'
import { authorizeChange, type WriteContext } from './writing.ts'

export interface Removal<Row extends { id: number; uuid: string }> {
  resource: Resource<Row> & { kind: ObjectKind }
  action: PermissionPair
  /** Words in the message of a bulk delete: `charts` in `Deleted 2 charts`. */
  words: [one: string, many: string]
  /** Refuses the deletion before anything is deleted. */
  check?(rows: readonly Row[], context: WriteContext): Promise<void>
  /** Moves the object to the trash under its name; without it, the object is deleted immediately. */
  trash?: TrashOptions<Row>
  /** Deletes one row and dependent rows that the store does not delete itself. */
  remove(trx: Transaction<Tables>, row: Row, context: WriteContext): Promise<void>
  /** Deletes data outside the store after the row is permanently deleted. */
  removed?(row: Row): Promise<void>
  /** Additional fields of the log entry. */
  entry?(row: Row): Partial<AuditEvent>
}

type Removing = ReturnType<typeof writingRoutes<string, string, TSchema, TSchema>>['remove']
type Bulk = ReturnType<typeof bulkDelete<string, string>>

/** Finds rows by id that the caller may delete now. @throws AppError for the first that they may not */
async function findRemovable<Row extends { id: number; uuid: string }>(
  { resource, action, check }: Removal<Row>,
  ids: readonly number[],
  context: WriteContext,
): Promise<Row[]> {
  const rows = await visibleRows<Row>(resource, ids, context)
  for (const { id } of rows) await authorizeChange(context, action, { kind: resource.kind, id })
  await check?.(rows, context)
  return rows
}

async function removeRows<Row extends { id: number; uuid: string }>(
  trx: Transaction<Tables>,
  { resource, trash, remove, entry }: Removal<Row>,
  rows: readonly Row[],
  context: WriteContext,
): Promise<void> {
  const { kind } = resource
  for (const row of rows) {
    const { id, uuid } = row
    const author = context.principal.id
    if (trash) await moveToTrash(trx, { row, author, now: context.now, ...trash })
    await remove(trx, row, context)
    const event = { ...context.event, json: { id, uuid }, ...entry?.(row) }
    await record(trx, { kind, uuid, id, author, document: () => null, event, now: context.now }, undefined)
  }
}

/** Deletes rows by id, all or none. */
export async function removeAll<Row extends { id: number; uuid: string }>(
  removal: Removal<Row>,
  ids: readonly number[],
  context: WriteContext,
): Promise<void> {
  const rows = await findRemovable(removal, ids, context)
  await context.db.transaction().execute((trx) => removeRows(trx, removal, rows, context))
  context.event.isWritten = true
  if (removal.removed) for (const row of rows) await removal.removed(row)
}

/** Deletes rows by id as part of a transaction of the caller, which also calls `removed` of the removal after it. */
export async function removeWithin<Row extends { id: number; uuid: string }>(
  trx: Transaction<Tables>,
  removal: Removal<Row>,
  ids: readonly number[],
  context: WriteContext,
): Promise<void> {
  const within = { ...context, db: trx }
  await removeRows(trx, removal, await findRemovable(removal, ids, within), within)
}

/** Serves deleting one or several objects, all or none. */
export function serveRemoving<Row extends { id: number; uuid: string }>(
  app: App,
  routes: { remove: Removing; bulkDelete?: Bulk },
  removal: Removal<Row>,
): void {
  serve(app, routes.remove, async ({ params, principal, event }) => {
    await removeAll(removal, [params.id], { ...readContext(app, principal), event })
    return { message: 'OK' }
  })
  if (!routes.bulkDelete) return
  serve(app, routes.bulkDelete, async ({ rison: ids, principal, event }) => {
    await removeAll(removal, ids, { ...readContext(app, principal), event })
    const count = new Set(ids).size
    return { message: `Deleted ${count} ${removal.words[count === 1 ? 0 : 1]}` }
  })
}
