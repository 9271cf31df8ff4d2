import {
  AppError,
  type FieldMessages,
  legacySavedQueries as routes,
  message,
  type Message,
  type SavedQueryBody,
} from '@parquetry/model'
import type { FastifyReply } from 'fastify'
import type { App } from '../http/app.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { localizeError } from '../settings/messages.ts'
import { createSavedQuery, updateSavedQuery } from './save-query.ts'
import { savedQueryResource, type SavedQueryRow } from './saved-query-resource.ts'
import type { ConnectionDeps } from '../connection/deps.ts'

const names = ['label', 'db_id', 'schema', 'description', 'sql', 'extra_json'] as const
const maxLengths: Partial<Record<(typeof names)[number], number>> = { label: 256, schema: 128 }

type FormErrors = Record<string, Message[]>

/** Converts the fields of a form to a request body; an empty schema becomes null. */
function parseBody(form: Record<string, string>): { body: SavedQueryBody; wrong: FormErrors } {
  const wrong: FormErrors = {}
  const body: Record<string, unknown> = {}
  for (const name of names) {
    const text = form[name]
    if (text === undefined) continue
    const maxLength = maxLengths[name]
    if (maxLength !== undefined && [...text].length > maxLength)
      wrong[name] = [message('errors.fields.tooLong', 'Longer than maximum length {max}.', { max: maxLength })]
    if (name === 'db_id' && text !== '' && !/^\d{1,15}$/.test(text))
      wrong[name] = [message('errors.fields.integer', 'Not a valid integer.')]
    body[name] = name === 'db_id' ? (text === '' ? null : Number(text)) : name === 'schema' ? text || null : text
  }
  return { body: body as SavedQueryBody, wrong }
}

const toItem = (row: SavedQueryRow) => Object.fromEntries([...names, 'id' as const].map((name) => [name, row[name]]))

/** Reports an invalid form like the API, but with status 422: the API's status 500 does not fit invalid input. */
function refuse(reply: FastifyReply, fields: FieldMessages, { settings }: ConnectionDeps): FastifyReply {
  const text = message('errors.savedQuery.form', 'Some fields of the form are not valid.')
  const error = localizeError(new AppError('unprocessable', { message: text, fields }), settings)
  return reply.code(422).send({ message: error.message, error_details: error.fields, severity: 'warning' })
}

async function replySaved(
  reply: FastifyReply,
  form: Record<string, string>,
  success: string,
  deps: ConnectionDeps,
  save: (body: SavedQueryBody) => Promise<SavedQueryRow>,
): Promise<FastifyReply> {
  const { body, wrong } = parseBody(form)
  if (Object.keys(wrong).length > 0) return refuse(reply, wrong, deps)
  try {
    return await reply.send({ message: success, item: toItem(await save(body)), severity: 'success' })
  } catch (error) {
    if (error instanceof AppError && error.fieldMessages) return refuse(reply, error.fieldMessages, deps)
    throw error
  }
}

/** `/savedqueryviewapi/api/`: saved queries as forms, which is how clients schedule a query (API-025). Values are not JSON. */
export function legacySavedQueryRoutes(app: App, deps: ConnectionDeps): void {
  serve(app, routes.create, ({ body, principal, event, reply }) =>
    replySaved(reply, body, 'Added Row', deps, (fields) =>
      createSavedQuery(deps, { ...readContext(app, principal), event }, fields),
    ),
  )
  serve(app, routes.update, async ({ params, body, principal, event, reply }) => {
    const context = { ...readContext(app, principal), event }
    const row = await visibleRow<SavedQueryRow>(savedQueryResource, params.id, context)
    return replySaved(reply, body, 'Changed Row', deps, (fields) => updateSavedQuery(deps, context, row, fields))
  })
  serve(app, routes.item, async ({ params, principal }) => {
    const row = await visibleRow<SavedQueryRow>(savedQueryResource, params.id, readContext(app, principal))
    return { pk: String(row.id), result: toItem(row), modelview_name: 'SavedQueryViewApi' }
  })
}
