import type Type from 'typebox'
import { body, id, maybe, text } from './fields.ts'
import { bulkDelete, readingRoutes, writingRoutes } from './resource.ts'

/** Body of a saved query: every field may be left out, as in the API. */
export const SavedQueryBody = body({
  db_id: maybe(id()),
  description: maybe(text()),
  label: maybe(text(0, 256)),
  catalog: maybe(text(0, 256)),
  schema: maybe(text(0, 128)),
  sql: maybe(text()),
  template_parameters: maybe(text()),
  extra_json: maybe(text()),
})
export type SavedQueryBody = Type.Static<typeof SavedQueryBody>

const part = { name: 'saved_query', view: 'SavedQuery', errors: 'plain-422' } as const

/** `/api/v1/saved_query/`: a generic resource, so schema errors are 422. */
export const savedQueryRoutes = {
  ...readingRoutes(part),
  ...writingRoutes({ ...part, post: SavedQueryBody, put: SavedQueryBody }),
  bulkDelete: bulkDelete(part),
}
