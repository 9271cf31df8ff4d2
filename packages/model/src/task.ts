import Type, { type Static } from 'typebox'
import { AnyObject, body, flag, id, nullable, openObject, optional, row, text, UserSummary } from './fields.ts'
import { readingRoutes, RelatedObjects } from './resource.ts'
import { defineRoute } from './route.ts'

const TaskStatus = Type.Unsafe<
  'pending' | 'in_progress' | 'aborting' | 'success' | 'failure' | 'aborted' | 'timed_out'
>({
  type: 'string',
  enum: ['pending', 'in_progress', 'aborting', 'success', 'failure', 'aborted', 'timed_out'],
})
export type TaskStatus = Static<typeof TaskStatus>

/** Completed share of the task, 0 to 1; null when it is not known. */
const Progress = nullable(Type.Number())
const TaskSummary = openObject({ uuid: text(), task_name: nullable(text()), status: TaskStatus })

/** A job as `/api/v1/task/` returns it. */
export const Task = row({
  id: id(),
  uuid: text(),
  task_key: text(),
  dedup_key: text(),
  task_type: text(),
  task_name: nullable(text()),
  status: TaskStatus,
  scope: Type.Unsafe<'private' | 'shared' | 'system'>({ type: 'string', enum: ['private', 'shared', 'system'] }),
  created_on: text(),
  created_on_delta_humanized: text(),
  changed_on: text(),
  changed_by: nullable(UserSummary),
  started_at: nullable(text()),
  ended_at: nullable(text()),
  created_by: nullable(UserSummary),
  user_id: nullable(id()),
  payload: AnyObject,
  properties: openObject({
    is_abortable: Type.Boolean(),
    progress_percent: Progress,
    progress_current: nullable(Type.Integer()),
    progress_total: nullable(Type.Integer()),
    error_message: nullable(text()),
    /** In seconds. */
    timeout: nullable(Type.Number()),
  }),
  duration_seconds: nullable(Type.Number()),
  subscriber_count: Type.Integer(),
  subscribers: Type.Array(openObject({ user_id: id(), first_name: text(), last_name: text(), subscribed_at: text() })),
  depends_on: Type.Array(TaskSummary),
  dependents: Type.Array(TaskSummary),
})
export type Task = Static<typeof Task>

/** `force` ends a shared task for all subscribers. */
export const CancelTask = body({ force: optional(flag()) })

const reading = readingRoutes({ name: 'task', view: 'Task', listed: Task, detail: Task })
const ById = Type.Object({ id: text() })

/** `/api/v1/task/`, with the flag GLOBAL_TASK_FRAMEWORK: the jobs of the server. */
export const taskRoutes = {
  ...reading,
  status: defineRoute({
    method: 'GET',
    path: '/api/v1/task/:id/status',
    summary: 'Returns the status of a task',
    params: ById,
    body: 'none',
    reply: openObject({ status: TaskStatus }),
    can: ['can_read', 'Task'],
    object: 'the task must be visible',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: ['not_found'],
  }),
  statusChanges: defineRoute({
    method: 'GET',
    path: '/api/v1/task/status_changes',
    summary:
      'Returns the status of tasks that are running or have changed since the cursor; without a cursor, returns only one',
    query: Type.Object({ cursor: optional(text()), task_type: optional(text()) }),
    body: 'none',
    reply: openObject({
      statuses: Type.Record(Type.String(), openObject({ status: TaskStatus, progress: Progress })),
      cursor: text(),
    }),
    can: ['can_read', 'Task'],
    object: 'visible tasks only',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: ['bad_request'],
  }),
  subscribers: defineRoute({
    method: 'GET',
    path: '/api/v1/task/related/subscribers',
    summary: 'Lists the subscribers of tasks whose name contains the text `q`',
    query: Type.Object({ q: optional(text()) }),
    body: 'none',
    reply: RelatedObjects,
    can: ['can_read', 'Task'],
    object: 'subscribers of visible tasks only',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: [],
  }),
  cancel: defineRoute({
    method: 'POST',
    path: '/api/v1/task/:id/cancel',
    summary: 'Stops a task that has not ended, and its queries; the body is optional',
    params: ById,
    body: 'none',
    documentedBody: CancelTask,
    reply: openObject({ message: text(), action: text(), task: Task }),
    can: ['can_write', 'Task'],
    object: 'the task must be visible; only administrators may force',
    rate: 'write',
    audit: 'task.cancel',
    csrf: 'token',
    errors: 'plain',
    fails: ['bad_request', 'invalid_payload', 'forbidden', 'not_found', 'unprocessable'],
  }),
}
