import { AppError, CancelTask, message, type Task, taskRoutes as routes } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import type { App } from '../http/app.ts'
import { bodyReader } from '../http/readers.ts'
import { related, relatedUsers } from '../http/related.ts'
import { accessConditions, show, visibleRow } from '../http/resource.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { and } from '../store/conditions.ts'
import type { TaskView } from '../store/tables.ts'
import type { TaskDeps } from './deps.ts'
import { listStatusChanges } from './status-changes.ts'
import { createTaskResource, isAbortable } from './task-resource.ts'

const maxSubscribers = 100

/** `/api/v1/task/`, with the flag GLOBAL_TASK_FRAMEWORK. */
export function taskRoutes(app: App, deps: TaskDeps): void {
  const { jobs, settings } = deps
  if (settings.flags['GLOBAL_TASK_FRAMEWORK'] !== true) return
  const resource = createTaskResource(deps)
  const readCancelBody = bodyReader({ ...routes.cancel, body: CancelTask })
  serveReading(app, routes, resource)

  serve(app, routes.status, async ({ params, principal }) => {
    const { status } = await visibleRow<TaskView>(resource, params.id, readContext(app, principal))
    return { status }
  })
  serve(app, routes.statusChanges, ({ query, principal }) =>
    listStatusChanges(deps, readContext(app, principal), query),
  )
  serve(app, routes.subscribers, ({ query, principal }) => {
    const context = readContext(app, principal)
    const source = {
      ...relatedUsers(),
      visible: () =>
        sql<SqlBool>`"user".id in (select user_id from task where ${and(accessConditions(resource, context))})`,
    }
    const hidden = settings.config.EXCLUDE_USERS_FROM_LISTS
    return related(source, { filter: query.q ?? '', page_size: maxSubscribers }, context, hidden)
  })
  serve(app, routes.cancel, async ({ params, principal, event, request }) => {
    const context = readContext(app, principal)
    const task = await visibleRow<TaskView>(resource, params.id, context)
    const { force } = (request.body === undefined ? {} : await readCancelBody(request)) as { force?: boolean }
    if (force && !principal.isAdmin) throw new AppError('forbidden')
    event.json = { task: task.uuid, type: task.task_type, user_id: task.user_id }
    const isStopping = task.status === 'aborting' || (isAbortable(task) && (await jobs.cancel(task.uuid, principal.id)))
    if (!isStopping)
      throw new AppError('unprocessable', {
        message: message('errors.task.ended', 'The task has ended and cannot be canceled.'),
      })
    const { result } = await show(resource, await visibleRow<TaskView>(resource, task.id, context), {}, context)
    return { message: 'Task cancelled', action: 'aborted', task: result as Task }
  })
}
