import { notificationRoutes as routes } from '@parquetry/model'
import type { App, HttpDeps } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { formatStoredTime } from '../store/time.ts'

const maxListed = 50

/** `/api/v1/notification/` */
export function notificationRoutes(app: App, { db, now }: HttpDeps): void {
  serve(app, routes.list, async ({ principal }) => {
    const own = db.selectFrom('notification').where('user_id', '=', principal.id ?? -1)
    const [rows, unread] = await Promise.all([
      own.selectAll().orderBy('created_on', 'desc').orderBy('id', 'desc').limit(maxListed).execute(),
      own
        .select((eb) => eb.fn.countAll<number | string>().as('count'))
        .where('read_on', 'is', null)
        .executeTakeFirstOrThrow(),
    ])
    return {
      unread: Number(unread.count),
      result: rows.map(({ uuid, kind, json, created_on, read_on }) => ({
        uuid,
        kind,
        ...(JSON.parse(json) as { parameters: Record<string, unknown>; path: string | null }),
        created_on,
        is_read: read_on !== null,
      })),
    }
  })
  serve(app, routes.markRead, async ({ principal }) => {
    await db
      .updateTable('notification')
      .set({ read_on: formatStoredTime(now()) })
      .where('user_id', '=', principal.id ?? -1)
      .where('read_on', 'is', null)
      .execute()
    return { message: 'OK' }
  })
}
