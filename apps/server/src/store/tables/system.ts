import type { TaskStatus } from '@parquetry/model'
import type { Generated } from 'kysely'

/** Form data keys, permalinks, filter state, shared queries. `expires_at` null: never. */
export interface KeyValueTable {
  key: string
  resource: string
  value: string
  user_id: number | null
  created_on: string
  changed_on: string
  expires_at: string | null
  /** In bytes, with the key. */
  size: Generated<number>
}

/** Work that continues after the response to the request that started it, defined by its kind and payload. */
export interface JobTable {
  id: Generated<number>
  /** Known to clients as `job_id`. */
  uuid: string
  kind: string
  /** JSON. */
  payload: string
  /** pending, running, stopping, done, failed, timed_out, stopped. */
  state: string
  user_id: number | null
  attempts: number
  /** Where the result is stored. */
  result: string | null
  /** JSON of the error of a failed job. */
  error: string | null
  created_on: string
  started_on: string | null
  ended_on: string | null
  /** The server that runs it. */
  owner: string | null
  /** The session or API key that started it, which it ends with; null for schedules and after a normal sign-out. */
  session: Generated<string | null>
  /** Name that users see, such as the label of a query tab. */
  name: Generated<string | null>
  /** When the state changed. */
  changed_on: Generated<string>
  /** The user who stopped it. */
  changed_by_fk: Generated<number | null>
}

export interface TaskView {
  id: number
  uuid: string
  task_key: string
  dedup_key: string
  task_type: string
  task_name: string | null
  status: TaskStatus
  scope: 'private' | 'system'
  /** JSON. */
  payload: string
  /** JSON of the error of a failed job. */
  error: string | null
  user_id: number | null
  created_by_fk: number | null
  changed_by_fk: number | null
  created_on: string
  changed_on: string
  started_at: string | null
  ended_at: string | null
}

export interface LogTable {
  id: Generated<number>
  action: string
  user_id: number | null
  dashboard_id: number | null
  slice_id: number | null
  json: string | null
  duration_ms: number | null
  referrer: string | null
  dttm: string
}
