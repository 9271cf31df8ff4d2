import type { Generated } from 'kysely'

/** Form data keys, permalinks, filter state, shared queries. `expires_at` null: for ever. */
export interface KeyValueTable {
  key: string
  resource: string
  value: string
  user_id: number | null
  created_on: string
  changed_on: string
  expires_at: string | null
}

/** Work that goes on when the call that asked for it has been answered; what it is stands in its kind and payload. */
export interface JobTable {
  id: Generated<number>
  /** Known to clients as `job_id`. */
  uuid: string
  kind: string
  /** JSON. */
  payload: string
  /** pending, running, done, failed, stopped. */
  state: string
  user_id: number | null
  attempts: number
  /** Where the result lies. */
  result: string | null
  /** JSON of the error that a failed one ended in. */
  error: string | null
  created_on: string
  started_on: string | null
  ended_on: string | null
  /** The server that does it. */
  owner: string | null
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
