import Type from 'typebox'
import { openObject } from './fields.ts'
import { defineRoute } from './route.ts'

/** Status event of a background job (GLOBAL_ASYNC_QUERIES). */
export interface AsyncEvent {
  /** Increases with time: `<milliseconds>-<number>`. */
  id: string | null
  channel_id: string
  job_id: string
  user_id: number | null
  status: 'pending' | 'done' | 'error'
  errors: { message: string; error_type: string; level: string; extra: Record<string, unknown> | null }[]
  /** URL of the result when the job is `done`. */
  result_url: string | null
}

export const asyncEventSocketPath = '/api/v1/async_event/ws'

const own = {
  method: 'GET',
  body: 'none',
  object: 'the caller’s own jobs only',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: [],
} as const

export const asyncEventRoutes = {
  list: defineRoute({
    ...own,
    path: '/api/v1/async_event/',
    summary: 'Lists the events of the caller’s background jobs after `last_id`',
    query: Type.Object({ last_id: Type.Optional(Type.String()) }),
    reply: openObject({ result: Type.Array(Type.Unsafe<AsyncEvent>({ type: 'object' })) }),
    can: ['can_list', 'AsyncEventsRestApi'],
  }),
  /**
   * Parquetry extension: Server-Sent Events `job` and `query`, each with its id; `Last-Event-ID` resumes an interrupted stream.
   */
  stream: defineRoute({
    ...own,
    path: '/api/v1/async_event/stream',
    summary: 'Streams the events of the caller’s background jobs and queries',
    query: Type.Object({ last_id: Type.Optional(Type.String()) }),
    reply: 'stream',
    can: 'signed-in',
    isEndless: true,
  }),
  /** WebSocket (GLOBAL_ASYNC_QUERIES_TRANSPORT `ws`): each message is an event as `list` returns it. */
  socket: defineRoute({
    ...own,
    path: asyncEventSocketPath,
    summary: 'Opens a WebSocket for the events of the caller’s background jobs after `last_id`',
    query: Type.Object({ last_id: Type.Optional(Type.String()) }),
    reply: 'stream',
    can: ['can_list', 'AsyncEventsRestApi'],
    isEndless: true,
  }),
}
