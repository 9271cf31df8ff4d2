import { AppError, message, type TaskStatus } from '@parquetry/model'
import { type AccessContext, visibilityCondition } from '../access/access.ts'
import { and, type Condition } from '../store/conditions.ts'
import type { TaskView } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'
import { sql, type SqlBool } from 'kysely'
import type { TaskDeps } from './deps.ts'
import { readProgress } from './task-resource.ts'

/** A change is reported again for this time, because clocks of servers differ and a change is visible only once it is written. */
const overlapMs = 5000
const maxRows = 1000
const storedTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/

interface StatusChanges {
  statuses: Record<string, { status: TaskStatus; progress: number | null }>
  /** All changes before this time were reported. */
  cursor: string
}

/**
 * Returns the status of visible tasks that are running or have changed since the cursor. A status may be reported several times.
 * @param cursor  cursor of the last response; undefined for the first call, which returns only a cursor
 * @throws AppError `bad_request` for a cursor that is not valid
 */
export async function listStatusChanges(
  deps: Pick<TaskDeps, 'jobs'>,
  context: AccessContext & { now: Date },
  { cursor, task_type: type }: { cursor?: string | undefined; task_type?: string | undefined },
): Promise<StatusChanges> {
  const next = formatStoredTime(new Date(context.now.getTime() - overlapMs))
  if (cursor === undefined) return { statuses: {}, cursor: next }
  if (!storedTime.test(cursor) || Number.isNaN(Date.parse(`${cursor}Z`)))
    throw new AppError('bad_request', {
      message: message('errors.task.cursor', 'The cursor is not valid. Use the cursor of the last response.'),
    })
  const visible = visibilityCondition('task', context)
  const conditions: Condition[] = [
    ...(visible ? [visible] : []),
    ...(type === undefined ? [] : [sql<SqlBool>`task.task_type = ${type}`]),
  ]
  const select = async (condition: Condition) =>
    (
      await sql<TaskView>`select * from task where ${and([...conditions, condition])}
        order by changed_on, id limit ${maxRows}`.execute(context.db)
    ).rows
  const changed = await select(sql<SqlBool>`task.changed_on >= ${cursor}`)
  const running = await select(sql<SqlBool>`task.status = 'in_progress'`)
  const tasks = [...new Map([...running, ...changed].map((task) => [task.uuid, task])).values()]
  const progress = await readProgress(deps, tasks)
  return {
    statuses: Object.fromEntries(
      tasks.map(({ uuid, status }, index) => [uuid, { status, progress: progress[index] ?? null }]),
    ),
    cursor: changed.length < maxRows ? next : changed[maxRows - 1]!.changed_on,
  }
}
