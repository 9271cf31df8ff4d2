import { checkTheme } from '@parquetry/charts'
import { AppError, message, themeRoutes as routes } from '@parquetry/model'
import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { Principal } from '../access/principal.ts'
import type { App, HttpDeps } from '../http/app.ts'
import { serveRemoving } from '../http/removing.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { changedBy, createdBy, unprocessable } from '../http/writing.ts'
import type { Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import { readThemeBody, requireContrast } from './read-body.ts'
import { themeResource, type ThemeRow } from './theme-resource.ts'

const document = (db: Kysely<Tables>, id: number): Promise<object> =>
  db.selectFrom('theme').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** @throws AppError `forbidden` */
function refuseConfigured(rows: readonly ThemeRow[]): void {
  const configured = rows.find(({ is_system }) => is_system === 1)
  if (configured)
    throw new AppError('forbidden', {
      message: message(
        'errors.theme.configured',
        'The theme {name} is defined by the configuration of the server and cannot be changed or deleted here.',
        { name: configured.theme_name },
      ),
    })
}

/** @throws AppError `unprocessable` */
function refuseInUse(rows: readonly ThemeRow[]): void {
  const used = rows.find(({ is_system_default, is_system_dark }) => is_system_default === 1 || is_system_dark === 1)
  if (used)
    throw unprocessable(
      message(
        'errors.theme.inUse',
        'The theme {name} is the system’s default or dark theme. Choose another one, then delete it.',
        { name: used.theme_name },
      ),
    )
}

/** `/api/v1/theme/` */
export function themeRoutes(app: App, { db, settings }: HttpDeps): void {
  serveReading(app, routes, themeResource)
  serve(app, routes.create, async ({ body, principal, event, reply }) => {
    const { now } = readContext(app, principal)
    const { row: fields, answer } = readThemeBody(body)
    const flags = { is_system: 0, is_system_default: 0, is_system_dark: 0 }
    const row = { ...fields, ...flags, uuid: randomUUID(), ...createdBy(principal, now) }
    const history = { kind: 'theme', uuid: row.uuid, author: principal.id, event, now }
    const id = await change(db, { ...history, document }, async (trx) => {
      const inserted = await trx.insertInto('theme').values(row).returning('id').executeTakeFirstOrThrow()
      event.json = { id: inserted.id }
      return inserted.id
    })
    return reply.code(201).send({ id, result: answer })
  })
  serve(app, routes.update, async ({ params, body, principal, event }) => {
    const context = readContext(app, principal)
    const row = await visibleRow<ThemeRow>(themeResource, params.id, context)
    refuseConfigured([row])
    const { row: fields, theme, answer } = readThemeBody(body)
    if (row.is_system_default === 1 || row.is_system_dark === 1) {
      authorizeSystem(principal)
      requireContrast(theme)
    }
    const changed = { ...fields, ...changedBy(principal, context.now, row) }
    event.json = { id: row.id }
    const history = { kind: 'theme', uuid: row.uuid, author: principal.id, event, now: context.now }
    await change(db, { ...history, document: (trx) => document(trx, row.id) }, async (trx) => {
      await trx.updateTable('theme').set(changed).where('id', '=', row.id).execute()
    })
    return { id: row.id, result: answer }
  })
  serveRemoving(app, routes, {
    resource: themeResource,
    action: ['can_write', 'Theme'],
    words: ['theme', 'themes'],
    check: (rows) => {
      refuseConfigured(rows)
      refuseInUse(rows)
      return Promise.resolve()
    },
    // The store clears the theme of the dashboards that have it.
    async remove(trx, { id }) {
      await trx.deleteFrom('theme').where('id', '=', id).execute()
    },
  })

  /** @throws AppError `forbidden` unless an administrator may choose the themes of all pages */
  function authorizeSystem(principal: Principal): void {
    if (principal.isAdmin && settings.config.ENABLE_UI_THEME_ADMINISTRATION) return
    throw new AppError('forbidden', {
      message: principal.isAdmin
        ? message(
            'errors.theme.administration',
            'System themes are chosen in the configuration of the server: ENABLE_UI_THEME_ADMINISTRATION is off.',
          )
        : message('errors.theme.administrators', 'Only administrators can choose the system themes.'),
    })
  }
  for (const mode of ['default', 'dark'] as const) {
    const flag = `is_system_${mode}` as const
    serve(app, mode === 'dark' ? routes.setDark : routes.setDefault, async ({ params, principal, event }) => {
      authorizeSystem(principal)
      const row = await visibleRow<ThemeRow>(themeResource, params.id, readContext(app, principal))
      const read = checkTheme(JSON.parse(row.json_data))
      if (!read.error) requireContrast(read.theme)
      event.json = { id: row.id }
      await db.transaction().execute(async (trx) => {
        await trx
          .updateTable('theme')
          .set({ [flag]: 0 })
          .where(flag, '=', 1)
          .execute()
        await trx
          .updateTable('theme')
          .set({ [flag]: 1 })
          .where('id', '=', row.id)
          .execute()
      })
      return { id: row.id, result: 'success' }
    })
    serve(app, mode === 'dark' ? routes.unsetDark : routes.unsetDefault, async ({ principal }) => {
      authorizeSystem(principal)
      await db
        .updateTable('theme')
        .set({ [flag]: 0 })
        .where(flag, '=', 1)
        .execute()
      return { result: 'success' }
    })
  }
}
