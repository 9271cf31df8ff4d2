import { AppError, type favoriteRoutes, legacyRoutes } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import { formatStoredTime } from '../store/time.ts'
import type { App } from './app.ts'
import { type Filter, booleanOperator } from './filters.ts'
import { and, type Condition } from '../store/conditions.ts'
import type { Principal } from '../access/principal.ts'
import { type Resource, accessConditions, visibleRow } from './resource.ts'
import { readContext } from './serve-resource.ts'
import { serve } from './serve.ts'

type FavoriteRoutes = ReturnType<typeof favoriteRoutes<string, string>>
type Kind = 'chart' | 'dashboard' | 'tag'

/** Condition for rows of a kind that the principal has starred. */
export const isStarred = (kind: Kind, { id }: Principal): Condition =>
  sql<SqlBool>`${sql.ref(`${kind}.id`)} in (select object_id from favorite where kind = ${kind} and user_id = ${id ?? -1})`

/** Filter `chart_is_favorite` or `dashboard_is_favorite`. */
export const favoriteFilter = (kind: Kind): Filter => [
  booleanOperator(`${kind}_is_favorite`, 'Is favorite', ({ principal }) => isStarred(kind, principal)),
]

/** Serves starring, unstarring and the favorite status of several objects. Both changes are idempotent. */
export function serveFavorites<Row extends { id: number }>(
  app: App,
  { favoriteStatus, addFavorite, removeFavorite }: FavoriteRoutes,
  resource: Resource<Row> & { kind: Kind },
): void {
  const { kind } = resource
  const { db } = app.deps

  serve(app, favoriteStatus, async ({ rison: ids, principal }) => {
    if (ids.length === 0) throw new AppError('not_found')
    const context = readContext(app, principal)
    const inIds = sql<SqlBool>`${sql.ref(`${kind}.id`)} in (${sql.join([...new Set(ids)])})`
    const { rows } = await sql<{
      id: number
      starred: number | boolean
    }>`select id, ${isStarred(kind, principal)} as starred
      from ${sql.table(kind)} where ${and([inIds, ...accessConditions(resource, context)])}`.execute(db)
    if (rows.length === 0) throw new AppError('not_found')
    const starred = new Set(rows.filter((row) => Boolean(row.starred)).map(({ id }) => id))
    return { result: ids.map((id) => ({ id, value: starred.has(id) })) }
  })

  serve(app, addFavorite, async ({ params, principal, event }) => {
    const { id } = await visibleRow(resource, params.id, readContext(app, principal))
    if (principal.id === null) throw new AppError('forbidden')
    event.json = { id }
    const created_on = formatStoredTime(app.deps.now())
    await db
      .insertInto('favorite')
      .values({ user_id: principal.id, kind, object_id: id, created_on })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return { result: 'OK' }
  })

  serve(app, removeFavorite, async ({ params, principal, event }) => {
    const { id } = await visibleRow(resource, params.id, readContext(app, principal))
    event.json = { id }
    await db
      .deleteFrom('favorite')
      .where('user_id', '=', principal.id ?? -1)
      .where('kind', '=', kind)
      .where('object_id', '=', id)
      .execute()
    return { result: 'OK' }
  })
}

/** Legacy route for the favorite status of one object: 1 or 0. */
export function legacyFavoriteRoutes(app: App): void {
  const kinds: Readonly<Record<string, Kind>> = { slice: 'chart', dashboard: 'dashboard' }
  serve(app, legacyRoutes.stars, async ({ params, principal }) => {
    const name = params.kind.toLowerCase()
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (!kind) throw new AppError('not_found')
    const star = await app.deps.db
      .selectFrom('favorite')
      .select('created_on')
      .where('user_id', '=', principal.id ?? -1)
      .where('kind', '=', kind)
      .where('object_id', '=', params.id)
      .executeTakeFirst()
    return { count: star ? 1 : 0 }
  })
}
