import { type SavedQueryBody, savedQueryRoutes as routes } from '@parquetry/model'
import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app.ts'
import { serveRemoving } from '../http/removing.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { changedBy, columnsOf, createdBy, refused, type WriteContext } from '../http/writing.ts'
import { can } from '../security/access.ts'
import type { Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import { savedQueryResource, type SavedQueryRow } from './saved-query-resource.ts'

const fields = [
  'db_id',
  'description',
  'label',
  'catalog',
  'schema',
  'sql',
  'template_parameters',
  'extra_json',
] as const

const document = (db: Kysely<Tables>, id: number): Promise<object> =>
  db.selectFrom('saved_query').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function mustSeeDatabase(context: WriteContext, { db_id }: SavedQueryBody): Promise<void> {
  if (db_id == null) return
  if (!(await can(context, ['can_read', 'Database'], { kind: 'database', id: db_id })))
    throw refused({ db_id: ['Database does not exist'] })
}

/** Fields that the generic resources send back: all that can be written, as stored. */
const echo = (row: Record<string, unknown>) =>
  Object.fromEntries(
    ['db_id', 'description', 'label', 'schema', 'sql', 'template_parameters'].map((field) => [
      field,
      row[field] ?? null,
    ]),
  )

/** `/api/v1/saved_query/`: everybody's own (PERM-006). */
export function savedQueryRoutes(app: App, deps: Deps): void {
  serveReading(app, routes, savedQueryResource)
  serve(app, routes.create, async ({ body, principal, event, reply }) => {
    const context = { ...readContext(app, principal), event }
    await mustSeeDatabase(context, body)
    const uuid = randomUUID()
    const row = {
      db_id: null,
      description: null,
      label: null,
      catalog: null,
      schema: null,
      sql: null,
      template_parameters: null,
      extra_json: null,
      ...columnsOf(body, fields),
      uuid,
      user_id: principal.id ?? -1,
      rows: null,
      last_run: null,
      ...createdBy(principal, context.now),
    }
    const history = { kind: 'saved_query', uuid, author: principal.id, event, now: context.now }
    const id = await change(deps.db, { ...history, document }, async (trx) => {
      const made = await trx.insertInto('saved_query').values(row).returning('id').executeTakeFirstOrThrow()
      event.json = { id: made.id }
      return made.id
    })
    return reply.code(201).send({ id, result: echo(row) })
  })
  serve(app, routes.update, async ({ params, body, principal, event }) => {
    const context = { ...readContext(app, principal), event }
    const row = await visibleRow<SavedQueryRow>(savedQueryResource, params.id, context)
    await mustSeeDatabase(context, body)
    const changed = { ...columnsOf(body, fields), ...changedBy(principal, context.now, row) }
    event.json = { id: row.id }
    const history = { kind: 'saved_query', uuid: row.uuid, author: principal.id, event, now: context.now }
    await change(deps.db, { ...history, document: (trx) => document(trx, row.id) }, async (trx) => {
      await trx.updateTable('saved_query').set(changed).where('id', '=', row.id).execute()
    })
    return { id: row.id, result: echo({ ...row, ...changed }) }
  })
  serveRemoving(app, routes, {
    resource: savedQueryResource,
    action: ['can_write', 'SavedQuery'],
    words: ['saved query', 'saved queries'],
    async remove(trx, { id }) {
      await trx.deleteFrom('saved_query').where('id', '=', id).execute()
    },
  })
}
