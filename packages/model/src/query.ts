import Type from 'typebox'
import { openObject } from './fields.ts'
import { ListedQuery, QueryDetail } from './query-responses.ts'
import { readingRoutes } from './resource.ts'
import { defineRoute } from './route.ts'
import type { QueryView } from './sqllab.ts'

const { list, item, related, distinct } = readingRoutes({
  name: 'query',
  view: 'Query',
  listed: ListedQuery,
  detail: QueryDetail,
})

/** `/api/v1/query/`: the history of SQL Lab. Stopping a query is with the SQL Lab calls. */
export const queryRoutes = {
  list,
  /** Only accepts numbers: other text is an unknown address, before the rest of the request is checked. */
  item: { ...item, params: Type.Object({ id: Type.String({ pattern: '^[0-9]{1,15}$' }) }) },
  related,
  distinct,
  updatedSince: defineRoute({
    method: 'GET',
    path: '/api/v1/query/updated_since',
    summary: 'Lists the caller’s queries that changed since a time in milliseconds',
    rison: Type.Object({ last_updated_ms: Type.Number() }),
    body: 'none',
    reply: openObject({ result: Type.Array(Type.Unsafe<QueryView>({ type: 'object' })) }),
    can: ['can_read', 'Query'],
    object: 'the caller’s own queries only',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: ['bad_request'],
  }),
}
