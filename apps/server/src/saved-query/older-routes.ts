import { AppError, olderSavedQueryRoutes as routes, type SavedQueryBody } from '@parquetry/model'
import type { FastifyReply } from 'fastify'
import type { App } from '../http/app.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import type { UserSqlDeps } from '../user-sql/deps.ts'
import { createQuery, updateQuery } from './save-query.ts'
import { savedQueryResource, type SavedQueryRow } from './saved-query-resource.ts'

const names = ['label', 'db_id', 'schema', 'description', 'sql', 'extra_json'] as const
const longest: Partial<Record<(typeof names)[number], number>> = { label: 256, schema: 128 }

type Complaints = Record<string, string[]>

/** The fields of the form as a body; an empty schema is none. */
function bodyOf(form: Record<string, string>): { body: SavedQueryBody; wrong: Complaints } {
  const wrong: Complaints = {}
  const body: Record<string, unknown> = {}
  for (const name of names) {
    const text = form[name]
    if (text === undefined) continue
    const most = longest[name]
    if (most !== undefined && [...text].length > most) wrong[name] = [`Longer than maximum length ${most}.`]
    if (name === 'db_id' && text !== '' && !/^\d{1,15}$/.test(text)) wrong[name] = ['Not a valid integer.']
    body[name] = name === 'db_id' ? (text === '' ? null : Number(text)) : name === 'schema' ? text || null : text
  }
  return { body: body as SavedQueryBody, wrong }
}

const itemOf = (row: SavedQueryRow) => Object.fromEntries([...names, 'id' as const].map((name) => [name, row[name]]))

/** As the API says that a form does not fit, but for its status, which was 500: that is no answer to input. */
const refuse = (reply: FastifyReply, error_details: object): FastifyReply =>
  reply.code(422).send({ message: 'Some fields of the form are not valid.', error_details, severity: 'warning' })

async function saved(
  reply: FastifyReply,
  form: Record<string, string>,
  message: string,
  save: (body: SavedQueryBody) => Promise<SavedQueryRow>,
): Promise<FastifyReply> {
  const { body, wrong } = bodyOf(form)
  if (Object.keys(wrong).length > 0) return refuse(reply, wrong)
  try {
    return await reply.send({ message, item: itemOf(await save(body)), severity: 'success' })
  } catch (error) {
    if (error instanceof AppError && error.fields) return refuse(reply, error.fields)
    throw error
  }
}

/** `/savedqueryviewapi/api/`: saved queries as forms; by this way a query is scheduled (API-025). Values are no JSON. */
export function olderSavedQueries(app: App, deps: UserSqlDeps): void {
  serve(app, routes.create, ({ body, principal, event, reply }) =>
    saved(reply, body, 'Added Row', (fields) => createQuery(deps, { ...readContext(app, principal), event }, fields)),
  )
  serve(app, routes.update, async ({ params, body, principal, event, reply }) => {
    const context = { ...readContext(app, principal), event }
    const row = await visibleRow<SavedQueryRow>(savedQueryResource, params.id, context)
    return saved(reply, body, 'Changed Row', (fields) => updateQuery(deps, context, row, fields))
  })
  serve(app, routes.item, async ({ params, principal }) => {
    const row = await visibleRow<SavedQueryRow>(savedQueryResource, params.id, readContext(app, principal))
    return { pk: String(row.id), result: itemOf(row), modelview_name: 'SavedQueryViewApi' }
  })
}
