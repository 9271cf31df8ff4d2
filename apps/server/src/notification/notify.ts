import type { NotificationKind } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'

export interface NewNotification {
  kind: NotificationKind
  /** Values of its text. */
  parameters: Record<string, unknown>
  /** Page that it links to. */
  path: string | null
}

/** Tells users something. Call it inside the transaction of what they should know, so that neither happens alone. */
export async function notify(
  db: Kysely<Tables>,
  now: Date,
  users: readonly { id: number }[],
  { kind, parameters, path }: NewNotification,
): Promise<void> {
  if (users.length === 0) return
  const created_on = formatStoredTime(now)
  const json = JSON.stringify({ parameters, path })
  await db
    .insertInto('notification')
    .values(users.map(({ id }) => ({ uuid: randomUUID(), user_id: id, kind, json, created_on, read_on: null })))
    .execute()
}

/** Notifications are deleted after this time, read or not. */
export const notificationDays = 90

export const removeOldNotifications = (db: Kysely<Tables>, now: Date) =>
  db
    .deleteFrom('notification')
    .where('created_on', '<', formatStoredTime(new Date(now.getTime() - notificationDays * 86_400_000)))
    .execute()
