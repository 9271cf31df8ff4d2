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

/** Deletes rows by id, all or none. */
export async function removeAll<Row extends { id: number; uuid: string }>(
  { resource, action, check, trash, remove, removed, entry }: Removal<Row>,
  ids: readonly number[],
  context: WriteContext,
): Promise<void> {
  const { kind } = resource
  const rows = await visibleRows<Row>(resource, ids, context)
  for (const { id } of rows) await authorizeChange(context, action, { kind, id })
  await check?.(rows, context)
  await context.db.transaction().execute(async (trx) => {
    for (const row of rows) {
      const { id, uuid } = row
      const author = context.principal.id
      if (trash) await moveToTrash(trx, { row, author, now: context.now, ...trash })
      await remove(trx, row, context)
      const event = { ...context.event, json: { id, uuid }, ...entry?.(row) }
      await record(trx, { kind, uuid, id, author, document: () => null, event, now: context.now }, undefined)
    }
  })
  context.event.isWritten = true
  if (removed) for (const row of rows) await removed(row)
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
