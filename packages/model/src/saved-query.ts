import Type from 'typebox'
import { ListedSavedQuery, SavedQueryDetail } from './query-responses.ts'
import { openObject, body, id, nullish, AnyObject, text } from './fields.ts'
import { bulkDelete, ById, readingRoutes, writingRoutes } from './resource.ts'
import { defineRoute } from './route.ts'

/** Body of a saved query. As in Superset's API, every field is optional. */
export const SavedQueryBody = body({
  db_id: nullish(id()),
  description: nullish(text()),
  label: nullish(text(0, 256)),
  catalog: nullish(text(0, 256)),
  schema: nullish(text(0, 128)),
  sql: nullish(text()),
  template_parameters: nullish(text()),
  /** JSON object; its `schedule_info` defines when the query runs automatically, see `QuerySchedule` of the server. */
  extra_json: nullish(text()),
})
export type SavedQueryBody = Type.Static<typeof SavedQueryBody>

/**
 * Column `schedule` of a saved query, a Parquetry extension; null without a schedule. Times are ISO text in UTC without a zone.
 */
export interface SavedQuerySchedule {
  /** Null when the schedule has ended. */
  next_run: string | null
  last_run: string | null
  last_status: 'running' | 'success' | 'failed' | 'skipped' | null
  last_error: string | null
  /** Client id of the last run in the history. */
  last_query: string | null
}

const part = { name: 'saved_query', view: 'SavedQuery', errors: 'plain-422' } as const
/** Allows a text of one megabyte as JSON. */
const bodyLimit = 4 << 20

/** `/api/v1/saved_query/`: a generic resource, so schema errors are 422. */
export const savedQueryRoutes = {
  ...readingRoutes({ ...part, listed: ListedSavedQuery, detail: SavedQueryDetail }),
  ...writingRoutes({ ...part, post: SavedQueryBody, put: SavedQueryBody, bodyLimit }),
  bulkDelete: bulkDelete(part),
}

const legacyRoute = { rate: 'write', csrf: 'token', errors: 'plain', bodyLimit } as const
const legacyForm = Type.Object({
  label: Type.Optional(Type.String({ maxLength: 256 })),
  db_id: Type.Optional(Type.String({ pattern: '^\\d{0,15}$' })),
  schema: Type.Optional(Type.String({ maxLength: 128 })),
  description: Type.Optional(Type.String()),
  sql: Type.Optional(Type.String()),
  extra_json: Type.Optional(Type.String()),
})
const Saved = openObject({ message: Type.String(), item: AnyObject, severity: Type.String() })

/** The same calls with forms; values are not JSON, and invalid ones are 500 `{message, error_details}`. */
export const legacySavedQueries = {
  create: defineRoute({
    ...legacyRoute,
    method: 'POST',
    path: '/savedqueryviewapi/api/create',
    summary: 'Creates a saved query, with a schedule if `extra_json` contains one',
    body: 'form',
    form: legacyForm,
    reply: Saved,
    can: ['can_write', 'SavedQuery'],
    object: 'the database must be visible',
    audit: 'saved_query.create',
    fails: ['unprocessable'],
  }),
  update: defineRoute({
    ...legacyRoute,
    method: 'PUT',
    path: '/savedqueryviewapi/api/update/:id',
    summary: 'Updates the given fields of a saved query',
    params: ById,
    body: 'form',
    form: legacyForm,
    reply: Saved,
    can: ['can_write', 'SavedQuery'],
    object: 'the caller’s own saved query',
    audit: 'saved_query.update',
    fails: ['not_found', 'unprocessable'],
  }),
  item: defineRoute({
    ...legacyRoute,
    method: 'GET',
    path: '/savedqueryviewapi/api/get/:id',
    summary: 'Returns a saved query',
    params: ById,
    body: 'none',
    reply: openObject({ pk: Type.String(), result: AnyObject }),
    can: ['can_read', 'SavedQuery'],
    object: 'the caller’s own saved query',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    fails: ['not_found'],
  }),
}
