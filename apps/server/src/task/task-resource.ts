import { fromWire, translateMessage, type WireError } from '@parquetry/model'
import { auditColumns, computedColumn, userColumn, type UserSummary } from '../http/column-resolvers.ts'
import { splitNames } from '../http/columns.ts'
import { noSuchAddress } from '../http/errors.ts'
import { numberFilter, textFilter, timeFilter, toOneFilter } from '../http/filters.ts'
import { relatedUsers } from '../http/related.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import { errorTranslator } from '../settings/messages.ts'
import type { TaskView } from '../store/tables.ts'
import type { TaskDeps } from './deps.ts'

const columns = splitNames(`
  id uuid task_key dedup_key task_type task_name status scope created_on created_on_delta_humanized changed_on
  changed_by.first_name changed_by.id changed_by.last_name started_at ended_at created_by.first_name created_by.id
  created_by.last_name user_id payload properties duration_seconds subscriber_count subscribers
`)
const unannounced = ['depends_on', 'dependents']

const parsePayload = ({ payload }: Pick<TaskView, 'payload'>): unknown => JSON.parse(payload)

/** Tests whether a task can be canceled: every waiting or running job can be stopped. */
export const isAbortable = ({ status }: Pick<TaskView, 'status'>): boolean =>
  status === 'pending' || status === 'in_progress'

/** Returns the completed share of each task, 0 to 1, in their order; null where it is not known. */
export async function readProgress(
  { jobs }: Pick<TaskDeps, 'jobs'>,
  tasks: readonly Pick<TaskView, 'task_type' | 'status' | 'payload'>[],
): Promise<(number | null)[]> {
  const known = new Map<object, number | null>(
    tasks.filter(({ status }) => status === 'success').map((task) => [task, 1]),
  )
  const running = tasks.filter(({ status }) => status === 'in_progress' || status === 'aborting')
  for (const [type, some] of Map.groupBy(running, ({ task_type }) => task_type)) {
    const percentages = await jobs.handlerOf(type)?.readProgress?.(some.map(parsePayload))
    some.forEach((task, index) => {
      const percentage = percentages?.[index] ?? null
      known.set(task, percentage === null ? null : percentage / 100)
    })
  }
  return tasks.map((task) => known.get(task) ?? null)
}

const timeOf = (stored: string): number => Date.parse(`${stored}Z`)

/** Returns the subscribers of each task. Only the user who started a task subscribes to it. */
const readSubscribers: ColumnResolver<TaskView> = async (rows, context) =>
  ((await userColumn<TaskView>('user_id')(rows, context)) as (UserSummary | null)[]).map((user, index) =>
    user
      ? [
          {
            user_id: user.id,
            first_name: user.first_name,
            last_name: user.last_name,
            subscribed_at: rows[index]?.created_on,
          },
        ]
      : [],
  )

/** Resource definition of `/api/v1/task/`, which shows jobs. Users see the jobs that they started, administrators see all. */
export function createTaskResource({
  jobs,
  settings,
}: Pick<TaskDeps, 'jobs' | 'settings'>): Resource<TaskView> & { kind: 'task' } {
  const errorMessage = ({ error }: TaskView): string | null =>
    error === null
      ? null
      : translateMessage(fromWire(JSON.parse(error) as WireError).sentence, errorTranslator(settings))

  return {
    kind: 'task',
    title: 'Task',
    view: 'Task',
    list: { announced: columns, unannounced },
    show: { announced: columns, unannounced },
    order: {
      task_type: 'task.task_type',
      scope: 'task.scope',
      status: 'task.status',
      created_on: 'task.created_on',
      changed_on: 'task.changed_on',
      started_at: 'task.started_at',
      ended_at: 'task.ended_at',
    },
    defaultOrder: ['created_on', 'desc'],
    filters: {
      id: numberFilter('task.id'),
      task_type: textFilter('task.task_type'),
      task_key: textFilter('task.task_key'),
      task_name: textFilter('task.task_name'),
      scope: textFilter('task.scope'),
      status: textFilter('task.status'),
      created_by: toOneFilter('task.created_by_fk', 'user'),
      created_on: timeFilter('task.created_on'),
    },
    resolvers: {
      ...auditColumns<TaskView>(),
      payload: computedColumn(parsePayload),
      properties: async (rows) => {
        const progress = await readProgress({ jobs }, rows)
        return rows.map((row, index) => ({
          is_abortable: isAbortable(row),
          progress_percent: progress[index],
          progress_current: null,
          progress_total: null,
          error_message: errorMessage(row),
          timeout: jobs.handlerOf(row.task_type)?.timeoutSeconds ?? null,
        }))
      },
      duration_seconds: (rows, { now }) =>
        rows.map(({ started_at, ended_at }) =>
          started_at === null
            ? null
            : Math.max(0, (ended_at === null ? now.getTime() : timeOf(ended_at)) - timeOf(started_at)) / 1000,
        ),
      subscribers: readSubscribers,
      subscriber_count: async (rows, context) =>
        ((await readSubscribers(rows, context)) as object[][]).map(({ length }) => length),
      depends_on: computedColumn(() => []),
      dependents: computedColumn(() => []),
    },
    related: { created_by: relatedUsers() },
    distinct: ['task_type'],
    bodies: null,
    oddId: noSuchAddress,
  }
}
